/** The session: login, logout, and what the page needs to know first. */
import { z } from 'zod'

import { moment, role } from './common.ts'

export const loginBody = z.object({
  username: z.string().min(1).max(100),
  password: z.string().min(1).max(1000),
})

export const session = z.object({
  role,
  /** Absent without a login. */
  username: z.string().optional(),
  /** Has to be sent as `X-CSRF-Token` with every request except GET. Absent without a login, and with HTTP Basic. */
  csrfToken: z.string().optional(),
  /** When the session ends. */
  expires: moment.optional(),
  /** The console's version. */
  version: z.string(),
  /** The time of the server: clocks of browsers are often wrong. */
  now: moment,
})
export type Session = z.infer<typeof session>

/** An account changes its own password; root can also change that of guest. */
export const passwordBody = z.object({
  /** The password of the account that sends the request. */
  current: z.string().min(1).max(1000),
  /** The account whose password changes. */
  username: z.string().min(1).max(100),
  password: z.string().min(10).max(1000).regex(/\S/u, 'more than blanks'),
})
