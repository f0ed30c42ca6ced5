/** The changes of a configuration, and when they take effect. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { ConfigurationCheck, JobChanges } from '../../../../src/contract/configuration.ts'
import { type ApiError, toApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { tell } from '../../components/toasts.tsx'
import { errorText } from '../../i18n/error-text.ts'
import { t } from '../../i18n/i18n.ts'
import { type DiffLine, lineDiff } from '../../text/line-diff.ts'
import { printable, shortened } from '../../text/printable.ts'

const effectTones = {
  now: 'good',
  'next-run': 'info',
  resharding: 'warn',
  restart: 'warn',
  never: 'idle',
} as const

const longestValue = 120

export function SaveDialog(props: {
  readonly jobName: string
  readonly changes: JobChanges
  readonly check: ConfigurationCheck
  readonly onClose: () => void
  readonly onSaved: () => void
}): VNode {
  const { jobName, changes, check, onClose, onSaved } = props
  const error = useSignal<ApiError | undefined>(undefined)
  const busy = useSignal(false)
  const save = async (): Promise<void> => {
    busy.value = true
    error.value = undefined
    try {
      const body = { changes, version: check.version }
      const update = await call('changeConfiguration', { params: { job: jobName }, body })
      tell('good', t('configuration.saved', { n: update.changes.length, job: printable(jobName) }))
      onClose()
      onSaved()
    } catch (thrown) {
      error.value = toApiError(thrown)
    } finally {
      busy.value = false
    }
  }
  return (
    <Dialog
      wide
      title={t('configuration.reviewOf', { job: printable(jobName) })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button kind="main" icon="enable" busy={busy.value} onClick={() => void save()}>
            {t('configuration.save', { n: check.changes.length })}
          </Button>
        </>
      }
    >
      <ul class="changes">
        {check.changes.map(({ key, from, to, takesEffect }) => (
          <li key={key}>
            <code>{printable(key)}</code>
            <span class="hostile">
              <del>{valueText(from)}</del> → <ins>{valueText(to)}</ins>
            </span>
            <Badge tone={effectTones[takesEffect]}>{t(`effect.${takesEffect}`)}</Badge>
          </li>
        ))}
      </ul>
      {check.after !== undefined && <Difference lines={lineDiff(check.before, check.after)} />}
      {error.value !== undefined && (
        <p class="notice bad hostile" role="alert">
          {error.value.status === 409 ? t('configuration.conflict') : errorText(error.value)}
        </p>
      )}
    </Dialog>
  )
}

const marks = { same: ' ', added: '+', removed: '−' } as const

export function Difference({ lines }: { readonly lines: readonly DiffLine[] }): VNode {
  return (
    <pre class="code diff" tabIndex={0} aria-label={t('configuration.difference')}>
      {lines.map(({ kind, text }, index) => (
        <span class={kind} key={index}>
          {marks[kind]} {printable(text)}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '∅'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortened(printable(text), longestValue)
}
