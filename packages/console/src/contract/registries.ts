/** The registries of the console. A password can be written, but never read. */
import { z } from 'zod'

import { moment } from './common.ts'
import { reason } from './message.ts'

/** The connection state of a registry. */
export const registryState = z.object({
  /** `idle`: no request has used it yet. */
  state: z.enum(['idle', 'connecting', 'connected', 'lost']),
  /** The start of this state. */
  since: moment,
  /** Why it is not connected. */
  ...reason.partial().shape,
  /** During the first read: how many of its jobs have been read; absent before they are counted. */
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
})
export type RegistryState = z.infer<typeof registryState>

/** One registry. The first three fields are those of 2.x. */
export const registryEntry = z.object({
  name: z.string(),
  zkAddressList: z.string(),
  namespace: z.string(),
  /** Whether it has a digest; the digest itself stays on the server. */
  hasDigest: z.boolean(),
  /** The data source of its history; the first one if absent. */
  dataSource: z.string().optional(),
  /** Whether it is the default of this user. */
  activated: z.boolean(),
  /** It was configured at the start of the console and cannot be removed. */
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
    /** `user:password`. If absent: none for a new registry, the stored one for a known registry. */
    digest: z.string().max(1000).optional(),
    /** `true` deletes the stored digest. */
    noDigest: z.boolean().optional(),
    dataSource: z.string().max(100).optional(),
  })
  .strict()
export type RegistryBody = z.infer<typeof registryBody>

/** 2.x and 3.x send the name in the body. */
export const nameBody = z.object({ name })

/** Whether the connection works; otherwise the reason. */
export const connectionTest = z.object({
  ok: z.boolean(),
  /** The actual reason of a failure. */
  ...reason.partial().shape,
  /** What was found: the number of jobs, or the database; also as `messageParts`. */
  found: z.string().optional(),
})
export type ConnectionTest = z.infer<typeof connectionTest>

/** The namespaces of a registry that hold jobs. */
export const namespaces = z.object({
  withJobs: z.array(z.string()),
  unreadable: z.array(z.string()),
})
