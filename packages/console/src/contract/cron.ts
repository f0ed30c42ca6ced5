/** The meaning of a cron expression; needs no registry. */
import { z } from 'zod'

import { count, moment } from './common.ts'
import { messageParts } from './message.ts'

export const cronQuery = z.object({
  expression: z.string().max(1000),
  /** For example `Europe/Berlin`; default: the zone of the server. */
  timeZone: z.string().max(100).optional(),
  /** Default: 5, at most 100. */
  count: count.max(100).optional(),
  /** Only fire times after this time; default: now. */
  after: z.coerce.number().optional(),
  /** `true`: fires exactly like Quartz in an hour that occurs twice. */
  strict: z.enum(['true', 'false']).optional(),
})

export const cronPreview = z.object({
  expression: z.string(),
  timeZone: z.string(),
  /** In English; the page has its own descriptions in other languages. */
  words: z.string().optional(),
  /** Empty if the expression never fires again, or is invalid. */
  fires: z.array(moment),
  /** The problem of the expression; absent if it is valid. */
  problem: z
    .object({
      message: z.string(),
      /** The message parts for translation. */
      messageParts: messageParts.optional(),
      /** The invalid field: `seconds`, `minutes`, `hours`, `dayOfMonth`, `month`, `dayOfWeek`, `year`. */
      field: z.string().optional(),
    })
    .optional(),
})
