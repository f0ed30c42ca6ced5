/** Something that an operator can do: what it is called, what will happen, and why it cannot be done now. */
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
  /** Why it would not work; undefined if it would. */
  readonly reason?: string | undefined
  /** What will happen, in sentences: shown before it does. */
  readonly consequences: readonly string[]
  /** What must be typed first, for what cannot be undone. */
  readonly typed?: string
  readonly perform: () => Promise<OperationResult>
}

/** The reasons that hold for every action come first. */
export function reasonFor(own: string | undefined): string | undefined {
  if (!mayAct.value) return t('reason.guest')
  const { value } = freshness
  if (value.state === 'old') {
    return t(value.cause === 'registry' ? 'reason.registryLost' : 'reason.streamLost')
  }
  return own
}
