/** The registries that the console knows. A password is written, and never read. */
import { z } from 'zod'

import { moment } from './common.ts'
import { reason } from './message.ts'

/** How a registry stands. */
export const registryState = z.object({
  /** `idle`: nobody has asked for it yet. */
  state: z.enum(['idle', 'connecting', 'connected', 'lost']),
  /** Since when it is so. */
  since: moment,
  /** Why it is not there. */
  ...reason.partial().shape,
  /** While it is read for the first time: how many of its jobs are known; absent before they are counted. */
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
})
export type RegistryState = z.infer<typeof registryState>

/** One registry. The first three fields are those of 2.x. */
export const registryEntry = z.object({
  name: z.string(),
  zkAddressList: z.string(),
  namespace: z.string(),
  /** Whether there is a digest; what it is stays on the server. */
  hasDigest: z.boolean(),
  /** The data source of its history; the first one if absent. */
  dataSource: z.string().optional(),
  /** Whether it is the one that is meant where none is named by the one who asks. */
  activated: z.boolean(),
  /** It was given when the console was started, and cannot be taken out. */
  fixed: z.boolean(),
  connection: registryState,
})
export type RegistryEntry = z.infer<typeof registryEntry>

export const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^/\\\p{Cc}]+$/u, 'no slashes, no control characters')

export const registryBody = z
  .object({
    name,
    zkAddressList: z
      .string()
      .min(1)
      .max(2000)
      .regex(/^[^@]*$/u, 'no credentials: `digest` is for them'),
    namespace: z.string().min(1).max(500),
    /** `user:password`. Absent: none, or for one that is known, the one that is stored. */
    digest: z.string().max(1000).optional(),
    /** With true, a digest that is stored is forgotten. */
    noDigest: z.boolean().optional(),
    dataSource: z.string().max(100).optional(),
  })
  .strict()
export type RegistryBody = z.infer<typeof registryBody>

/** 2.x and 3.x send whom they mean in the body. */
export const nameBody = z.object({ name })

/** Whether it can be reached, and if not, why. */
export const connectionTest = z.object({
  ok: z.boolean(),
  /** The real reason of a failure. */
  ...reason.partial().shape,
  /** What was found: how many jobs, which database; with `messageParts`, too. */
  found: z.string().optional(),
})
export type ConnectionTest = z.infer<typeof connectionTest>

/** Namespaces of a registry that hold jobs. */
export const namespaces = z.object({
  withJobs: z.array(z.string()),
  unreadable: z.array(z.string()),
})
