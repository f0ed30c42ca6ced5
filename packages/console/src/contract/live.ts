/**
 * The stream of changes, `GET /api/live`: server-sent events, named by the keys below, with JSON data. The id of an
 * event is the revision that the reader has seen: a browser that reconnects sends it as `Last-Event-ID` and receives
 * the changes since then, or everything if these are unknown.
 */
import { z } from 'zod'

import { flag, moment, sourceQuery } from './common.ts'
import { logChunk, runHistory } from './history.ts'
import { jobDetail, jobEntry } from './jobs.ts'
import { registryState } from './registries.ts'
import { messageParts } from './message.ts'
import { serverEntry } from './servers.ts'

/** The topics that a page subscribes to. */
export const liveQuery = sourceQuery.extend({
  /** The list of jobs. */
  jobs: flag.optional(),
  /** The list of servers. */
  servers: flag.optional(),
  /** One job with its shard map. */
  job: z.string().max(500).optional(),
  /** One run, and its log while it is written. */
  run: z.string().max(100).optional(),
  /** Only chunks of the log after this sequence number. */
  after: z.coerce.number().int().optional(),
  /** The `X-Revision` of a list: the stream continues from there. */
  since: z.string().max(100).optional(),
})
export type LiveQuery = z.infer<typeof liveQuery>

/** The number of entries that follow: a long list is sent in pieces. */
const left = z.number()
/**
 * The revision to continue from; empty while entries follow, because a stream cannot continue from the middle of a
 * list.
 */
const listRevision = z.string()

export const liveMessages = {
  /**
   * The state of the registry: the first message, and again after each change. While the state is not `connected`,
   * earlier messages are outdated since `since`.
   */
  registry: registryState.extend({
    name: z.string(),
    namespace: z.string(),
    /** The time of the server. */
    now: moment,
  }),
  /**
   * With `reset`, the reader discards its list: this message and those that follow, until `left` is 0, are the whole
   * list.
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
    /** The addresses of the servers. */
    removed: z.array(z.string()),
    left,
    revision: listRevision,
  }),
  /** The current job; absent if there is no job of that name. */
  job: z.object({ jobName: z.string(), detail: jobDetail.optional() }),
  /** The followed run, at the first message and when it has ended; absent if it is unknown. */
  run: z.object({ runId: z.string(), history: runHistory.optional() }),
  /** The next chunks of the log of the followed run. */
  log: z.object({ runId: z.string(), chunks: z.array(logChunk) }),
  /** A topic could not be followed; the stream continues with the others. */
  problem: z.object({
    topic: z.string(),
    code: z.string(),
    message: z.string(),
    messageParts: messageParts.optional(),
  }),
  /** Sent every 15 seconds: a page that misses two of them has lost the server. */
  alive: z.object({ now: moment }),
} as const

export type LiveMessageName = keyof typeof liveMessages
export type LiveMessage<N extends LiveMessageName> = z.infer<(typeof liveMessages)[N]>
