/** What several resources share: times, roles, errors, pages of rows. */
import { z } from 'zod'

import { messageParts } from './message.ts'

/** Milliseconds since 1970, as everywhere in this contract. */
export const moment = z.number().meta({ description: 'Milliseconds since 1970' })

/** The role of a caller: `root` may change, `guest` may read, `nobody` is not logged in. */
export const role = z.enum(['nobody', 'guest', 'root'])
export type Role = z.infer<typeof role>

/** One thing that is wrong with what was sent, and where. */
export const problem = z.object({
  key: z.string(),
  /** For people, in English. */
  message: z.string(),
  /** The same with its parts, for other languages; absent if it is English alone. */
  messageParts: messageParts.optional(),
})
export type Problem = z.infer<typeof problem>

/** Every answer that is not 2xx. */
export const failure = z.object({
  error: z.object({
    /** A stable name for what went wrong: compare this, not the message. */
    code: z.string(),
    /** For people, in English. */
    message: z.string(),
    /** The same with its parts, for other languages; absent if it is English alone. */
    messageParts: messageParts.optional(),
    /** All that is wrong with the input, where it is the input. */
    problems: z.array(problem).optional(),
    /** In how many seconds the same may succeed. */
    retryAfter: z.number().optional(),
  }),
})
export type Failure = z.infer<typeof failure>

/**
 * Which registry is asked, by its name: of the tab that asks, never of the process. Every endpoint about
 * jobs, servers and the live stream takes it; without it, the first registry is meant.
 */
export const registryQuery = z.object({ registry: z.string().max(100).optional() })

/** The same for the history: which registry it belongs to, and which data source to read. */
export const sourceQuery = registryQuery.extend({
  /** The name of the data source; without it, the one that the registry names, else the first. */
  source: z.string().max(100).optional(),
})

/** A whole number that comes as text in a query. */
export const count = z.coerce.number().int().min(0)

/** A flag in a query: `true`, `1` or nothing are yes. */
export const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .transform((text) => text !== 'false' && text !== '0')

export const nothing = z.object({})
export const done = z.object({ ok: z.literal(true) })
