/** Who asks: login, logout, and what the page has to know before anything else. */
import { z } from 'zod'

import { moment, role } from './common.ts'

export const loginBody = z.object({
  username: z.string().min(1).max(100),
  password: z.string().min(1).max(1000),
})

export const session = z.object({
  role,
  /** Absent for nobody. */
  username: z.string().optional(),
  /**
   * To be sent as `X-CSRF-Token` with everything but GET. Absent for nobody, and where HTTP Basic says who
   * asks.
   */
  csrfToken: z.string().optional(),
  /** When the session ends. */
  expires: moment.optional(),
  /** The console's version. */
  version: z.string(),
  /** The server's time: clocks of browsers are wrong. */
  now: moment,
})
export type Session = z.infer<typeof session>

/** An account changes its own password; root may change the guest's. */
export const passwordBody = z.object({
  /** Of the one who asks. */
  current: z.string().min(1).max(1000),
  /** Whose password it is. */
  username: z.string().min(1).max(100),
  password: z.string().min(10).max(1000).regex(/\S/u, 'more than blanks'),
})
