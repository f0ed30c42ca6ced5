/** Placeholders for content: loading, empty, not allowed, failed. */
import type { ComponentChildren, VNode } from 'preact'

import { t } from '../i18n/i18n.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

function Condition(props: {
  readonly icon: IconName
  readonly tone: 'idle' | 'bad' | 'warn'
  readonly title: string
  readonly role?: 'alert'
  readonly children?: ComponentChildren
}): VNode {
  return (
    <div class={`condition ${props.tone}`} role={props.role}>
      <span class="condition-icon">
        <Icon name={props.icon} />
      </span>
      <h2>{props.title}</h2>
      <div class="condition-text">{props.children}</div>
    </div>
  )
}

export function Empty(props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}): VNode {
  return (
    <Condition icon={props.icon} tone="idle" title={props.title}>
      {props.children}
    </Condition>
  )
}

/** Gray lines in place of text that is loading. */
export function Loading({ lines = 6 }: { readonly lines?: number }): VNode {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{t('state.loading')}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span class="loading-line" key={index} aria-hidden="true" />
      ))}
    </div>
  )
}

export function Failure(props: {
  readonly title: string
  readonly message?: string
  readonly onRetry?: () => void
}): VNode {
  return (
    <Condition icon="warn" tone="bad" title={props.title} role="alert">
      {props.message !== undefined && <p class="hostile">{props.message}</p>}
      {props.onRetry !== undefined && (
        <Button icon="reshard" onClick={props.onRetry}>
          {t('action.retry')}
        </Button>
      )}
    </Condition>
  )
}

export function NoPermission(): VNode {
  return (
    <Condition icon="disable" tone="warn" title={t('state.noPermission')}>
      <p>{t('state.noPermission.text')}</p>
    </Condition>
  )
}
