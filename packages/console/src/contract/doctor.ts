/** The diagnosis of a job: the causes for which it does not run, and their remedies. */
import { z } from 'zod'

import { messageParts } from './message.ts'

const finding = z.object({
  /** One of a fixed list; docs/doctor.md describes each. */
  cause: z.string(),
  /** `error`: the job does not run. `warning`: some shards do not run, or not as configured. `info`: context. */
  severity: z.enum(['error', 'warning', 'info']),
  what: z.string(),
  remedy: z.string(),
  /** The message parts of both, for translation. */
  messageParts: z.object({ what: messageParts, remedy: messageParts }),
})
export type Finding = z.infer<typeof finding>

export const diagnosis = z.object({
  /** Absent if no job was named and none was found. */
  jobName: z.string().optional(),
  verdict: z.string(),
  /** The message parts for translation. */
  messageParts,
  healthy: z.boolean(),
  /** Most severe first. */
  findings: z.array(finding),
})
