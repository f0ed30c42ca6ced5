import type { VNode } from 'preact'

import type { ApiError } from '../api/api-error.ts'
import { Empty, Failure, NoPermission } from '../components/conditions.tsx'
import { errorText } from '../i18n/error-text.ts'
import { t } from '../i18n/i18n.ts'
import { to } from '../state/links.ts'

/** Shown in place of content that could not be loaded. */
export function Trouble(props: { readonly error: ApiError; readonly onRetry?: () => void }): VNode {
  const { error, onRetry } = props
  if (error.code === 'CONSOLE_FORBIDDEN') return <NoPermission />
  if (error.code === 'CONSOLE_NO_SOURCE') {
    return (
      <Empty icon="database" title={t('history.noSource')}>
        <p>{t('history.noSource.text')}</p>
        <p>
          <a href={to('/data-sources')}>{t('nav.dataSources')}</a>
        </p>
      </Empty>
    )
  }
  const title =
    error.status === 404
      ? t('state.notThere')
      : error.status === 0
        ? t('state.noServer')
        : t('state.failed')
  return (
    <Failure
      title={title}
      message={errorText(error)}
      {...(onRetry === undefined ? {} : { onRetry })}
    />
  )
}
