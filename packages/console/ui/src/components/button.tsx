import type { ComponentChildren, VNode } from 'preact'

import { Icon, type IconName } from './icon.tsx'

interface ButtonProps {
  readonly onClick?: (event: MouseEvent) => void
  readonly icon?: IconName
  readonly kind?: 'plain' | 'main' | 'danger' | 'quiet'
  readonly submit?: boolean
  readonly busy?: boolean
  /** Why it is disabled. The button stays focusable, so that the reason can be read. */
  readonly reason?: string | undefined
  /** The accessible name of a button without text. */
  readonly label?: string
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly children?: ComponentChildren
}

export function Button(props: ButtonProps): VNode {
  const { onClick, icon, kind = 'plain', submit = false, busy = false, reason, label } = props
  const isOff = reason !== undefined || busy
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button ${kind}${props.children === undefined ? ' bare' : ''}`}
      aria-disabled={isOff ? 'true' : undefined}
      aria-label={reason !== undefined && label !== undefined ? `${label}: ${reason}` : label}
      aria-busy={busy ? 'true' : undefined}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      title={reason ?? label}
      onClick={(event) => {
        if (!isOff) onClick?.(event)
        else event.preventDefault()
      }}
    >
      {icon !== undefined && <Icon name={icon} />}
      {props.children !== undefined && <span>{props.children}</span>}
      {reason !== undefined && label === undefined && (
        <span class="visually-hidden">: {reason}</span>
      )}
    </button>
  )
}
