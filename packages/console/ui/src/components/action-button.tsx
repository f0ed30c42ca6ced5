import type { VNode } from 'preact'

import type { Action } from '../actions/action.ts'
import { Button } from './button.tsx'
import { confirm } from './confirmation.tsx'

/** An action as a button; with `bare`, only its icon. */
export function ActionButton(props: {
  readonly action: Action
  readonly about: string
  readonly bare?: boolean
  readonly onDone?: () => void
}): VNode {
  const { action, about, bare = false, onDone } = props
  const shared = {
    icon: action.icon,
    reason: action.reason,
    onClick: () => confirm(action, about, onDone),
  }
  if (bare) return <Button {...shared} kind="quiet" label={`${action.title}: ${about}`} />
  return (
    <Button {...shared} kind={action.danger === true ? 'danger' : 'plain'}>
      {action.title}
    </Button>
  )
}
