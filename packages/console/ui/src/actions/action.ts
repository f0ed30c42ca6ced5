/** An action of an operator: its name, its effect, and the reason why it is not possible now. */
import type { IconName } from '../components/icon.tsx'
import { t } from '../i18n/i18n.ts'
import { freshness } from '../live/live.ts'
import { mayAct } from '../state/session.ts'
import type { OperationResult } from '../../../src/contract/results.ts'

export interface Action {
  readonly id: string
  readonly title: string
  readonly icon: IconName
  readonly danger?: boolean
  /** Why the action is not possible; undefined if it is. */
  readonly reason?: string | undefined
  /** The effect of the action as text, shown before the confirmation. */
  readonly consequences: readonly string[]
  /** The text that the user has to type first, for an action that cannot be undone. */
  readonly typed?: string
  readonly perform: () => Promise<OperationResult>
}

/** The reasons that apply to every action come first. */
export function reasonFor(own: string | undefined): string | undefined {
  if (!mayAct.value) return t('reason.guest')
  const { value } = freshness
  if (value.state === 'old') {
    return t(value.cause === 'registry' ? 'reason.registryLost' : 'reason.streamLost')
  }
  return own
}
