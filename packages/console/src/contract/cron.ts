/** What a cron expression means, without a registry. */
import { z } from 'zod'

import { count, moment } from './common.ts'
import { messageParts } from './message.ts'

export const cronQuery = z.object({
  expression: z.string().max(1000),
  /** Such as `Europe/Berlin`; that of the server if absent. */
  timeZone: z.string().max(100).optional(),
  /** 5 if absent, at most 100. */
  count: count.max(100).optional(),
  /** The times after this one; now if absent. */
  after: z.coerce.number().optional(),
  /** `true`: as Quartz fires where the clock shows an hour twice. */
  strict: z.enum(['true', 'false']).optional(),
})

export const cronPreview = z.object({
  expression: z.string(),
  timeZone: z.string(),
  /** In English; the page has words of its own where it speaks another language. */
  words: z.string().optional(),
  /** Empty if it never fires again, or is not valid. */
  fires: z.array(moment),
  /** What is wrong with it; absent if nothing is. */
  problem: z
    .object({
      message: z.string(),
      /** The same with its parts, for other languages. */
      messageParts: messageParts.optional(),
      /** Which field: `seconds`, `minutes`, `hours`, `dayOfMonth`, `month`, `dayOfWeek`, `year`. */
      field: z.string().optional(),
    })
    .optional(),
})
