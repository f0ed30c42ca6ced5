/** Schemas that several resources share: times, roles, errors, pages of rows. */
import { z } from 'zod'

import { messageParts } from './message.ts'

/** Milliseconds since 1970, as everywhere in this contract. */
export const moment = z.number().meta({ description: 'Milliseconds since 1970' })

/** The role of a caller: `root` may change, `guest` may read, `nobody` is not logged in. */
export const role = z.enum(['nobody', 'guest', 'root'])
export type Role = z.infer<typeof role>

/** One problem of the input, and its location. */
export const problem = z.object({
  key: z.string(),
  /** For people, in English. */
  message: z.string(),
  /** The message parts for translation; absent if the message is English only. */
  messageParts: messageParts.optional(),
})
export type Problem = z.infer<typeof problem>

/** The body of every answer that is not 2xx. */
export const failure = z.object({
  error: z.object({
    /** A stable name of the failure; compare this, not the message. */
    code: z.string(),
    /** For people, in English. */
    message: z.string(),
    /** The message parts for translation; absent if the message is English only. */
    messageParts: messageParts.optional(),
    /** All problems of the input, if the input is the cause. */
    problems: z.array(problem).optional(),
    /** The number of seconds after which a retry may succeed. */
    retryAfter: z.number().optional(),
  }),
})
export type Failure = z.infer<typeof failure>

/**
 * The name of the registry, selected by the tab and never by the process. Every endpoint about jobs, servers and the
 * live stream accepts it; the default is the first registry.
 */
export const registryQuery = z.object({ registry: z.string().max(100).optional() })

/** The same for the history: the registry it belongs to, and the data source to read. */
export const sourceQuery = registryQuery.extend({
  /** The name of the data source; the default is that of the registry, then the first one. */
  source: z.string().max(100).optional(),
})

/** An integer, sent as text in a query. */
export const count = z.coerce.number().int().min(0)

/** A flag in a query: `true`, `1` and an empty value mean true. */
export const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .transform((text) => text !== 'false' && text !== '0')

export const nothing = z.object({})
export const done = z.object({ ok: z.literal(true) })
