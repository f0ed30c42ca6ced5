/** Why a job did not run: what is in its way, and what to do about it. */
import { z } from 'zod'

import { messageParts } from './message.ts'

const finding = z.object({
  /** One of a fixed list; docs/operations.md says when each is named. */
  cause: z.string(),
  /** `error`: shards do not run. `warning`: some do not, or not as they should. `info`: worth knowing. */
  severity: z.enum(['error', 'warning', 'info']),
  what: z.string(),
  remedy: z.string(),
  /** Both with their parts, for other languages. */
  messageParts: z.object({ what: messageParts, remedy: messageParts }),
})
export type Finding = z.infer<typeof finding>

export const diagnosis = z.object({
  /** Absent where no job was asked for and none was found. */
  jobName: z.string().optional(),
  verdict: z.string(),
  /** The same with its parts, for other languages. */
  messageParts,
  healthy: z.boolean(),
  /** What weighs most comes first. */
  findings: z.array(finding),
})
