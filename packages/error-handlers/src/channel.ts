import type { Clock, Problem } from '@elasticjob/core'

import type { Notification } from './notification/notification.ts'
import type { Props } from './props.ts'

/** What a channel needs to send a notification. */
export interface Sending {
  readonly clock: Clock
  /** Aborts the sending. */
  readonly signal: AbortSignal
  /** Writes a debug line; secrets are removed from it. */
  readonly log: (line: string) => void
}

/** A way to send notifications. */
export interface Channel {
  /** The name of its error handler. */
  readonly type: string
  problemsOf(props: Props): readonly Problem[]
  /** The values that must not appear in a log, of validated properties. */
  secretsOf(props: Props): readonly string[]
  /** Resolves when the service has accepted the message; no socket is open when it settles. */
  send(notification: Notification, props: Props, sending: Sending): Promise<void>
}
