/**
 * The stream of changes, `GET /api/live`: server-sent events whose name is the key below and whose data is
 * JSON. An event's id is the revision up to which the reader knows everything: a browser that reconnects
 * sends it as `Last-Event-ID`, and gets what has changed since, or everything where that cannot be told.
 */
import { z } from 'zod'

import { flag, moment, sourceQuery } from './common.ts'
import { logChunk, runHistory } from './history.ts'
import { jobDetail, jobEntry } from './jobs.ts'
import { registryState } from './registries.ts'
import { messageParts } from './message.ts'
import { serverEntry } from './servers.ts'

/** What a page shows, and so wants to hear of. */
export const liveQuery = sourceQuery.extend({
  /** The list of jobs. */
  jobs: flag.optional(),
  /** The list of servers. */
  servers: flag.optional(),
  /** One job with its shard map. */
  job: z.string().max(500).optional(),
  /** One run, and its log as it grows. */
  run: z.string().max(100).optional(),
  /** Pieces of the log after this sequence number only. */
  after: z.coerce.number().int().optional(),
  /** The `X-Revision` of a list: the stream continues from there. */
  since: z.string().max(100).optional(),
})
export type LiveQuery = z.infer<typeof liveQuery>

/** How many entries are still to come: a long list is sent in pieces. */
const left = z.number()
/** What to go on from; empty while there is something left, for nobody can go on from the middle. */
const listRevision = z.string()

export const liveMessages = {
  /**
   * How the registry stands: first of all, and whenever it changes. What was sent before is old from
   * `since` on while the state is not `connected`.
   */
  registry: registryState.extend({
    name: z.string(),
    namespace: z.string(),
    /** The server's time. */
    now: moment,
  }),
  /**
   * With `reset`, what was known is to be forgotten: this and the messages that follow until `left` is 0
   * are everything.
   */
  jobs: z.object({
    reset: z.boolean(),
    changed: z.array(jobEntry),
    removed: z.array(z.string()),
    left,
    revision: listRevision,
  }),
  servers: z.object({
    reset: z.boolean(),
    changed: z.array(serverEntry),
    /** Their addresses. */
    removed: z.array(z.string()),
    left,
    revision: listRevision,
  }),
  /** The job as it is now; absent if there is none of that name (any more). */
  job: z.object({ jobName: z.string(), detail: jobDetail.optional() }),
  /** The run that is followed, when it is first seen and when it has ended; absent if it is unknown. */
  run: z.object({ runId: z.string(), history: runHistory.optional() }),
  /** The next pieces of the followed run's log. */
  log: z.object({ runId: z.string(), chunks: z.array(logChunk) }),
  /** Something could not be followed; the stream goes on with the rest. */
  problem: z.object({
    topic: z.string(),
    code: z.string(),
    message: z.string(),
    messageParts: messageParts.optional(),
  }),
  /** Comes every 15 seconds: a page that misses two of them has lost the server. */
  alive: z.object({ now: moment }),
} as const

export type LiveMessageName = keyof typeof liveMessages
export type LiveMessage<N extends LiveMessageName> = z.infer<(typeof liveMessages)[N]>
