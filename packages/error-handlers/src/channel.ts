import type { Problem } from '@elasticjob/core'
import type { Clock } from '@elasticjob/zookeeper'

import type { Notice } from './notice/notice.ts'
import type { Props } from './props.ts'

/** What a channel is given to send a notice with. */
export interface Sending {
  readonly clock: Clock
  /** Ends the sending: nobody waits for it any longer. */
  readonly signal: AbortSignal
  /** Writes a line for who looks for the reason of a failure; secrets are taken out of it. */
  readonly log: (line: string) => void
}

/** A way to reach people. */
export interface Channel {
  /** The name of the error handler that uses it. */
  readonly type: string
  problemsOf(props: Props): readonly Problem[]
  /** What nobody may read in a log, of properties in which there is no problem. */
  secretsOf(props: Props): readonly string[]
  /** Resolves when the message is accepted, and holds no socket when it has settled. */
  send(notice: Notice, props: Props, sending: Sending): Promise<void>
}
