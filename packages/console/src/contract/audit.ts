/** The audit log: account, address, action, target and result of each request. */
import { z } from 'zod'

import { count, moment } from './common.ts'
import { messageParts } from './message.ts'

const auditEntry = z.object({
  id: z.number(),
  time: moment,
  username: z.string(),
  role: z.string(),
  /** The address that the request came from. */
  address: z.string(),
  /** The name of the endpoint, such as `disableJob`; docs/console.md lists them. */
  action: z.string(),
  registry: z.string().optional(),
  /** The target of the action, if it has one. */
  jobName: z.string().optional(),
  server: z.string().optional(),
  shard: z.number().optional(),
  outcome: z.enum(['done', 'failed', 'refused']),
  /** The result as text; for a refusal, the reason. */
  message: z.string(),
  /** The message parts for translation; absent if the message is English only. */
  messageParts: messageParts.optional(),
  /** The code of the error, which precedes the message. */
  code: z.string().optional(),
  /** The stored fields of the request; never a password. */
  input: z.unknown().optional(),
  /** The configuration before and after a change or removal, with secrets masked. */
  before: z.string().optional(),
  after: z.string().optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditQuery = z.object({
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  username: z.string().max(100).optional(),
  action: z.string().max(100).optional(),
  jobName: z.string().max(500).optional(),
  registry: z.string().max(100).optional(),
  outcome: z.enum(['done', 'failed', 'refused']).optional(),
  /** Default: 50. */
  limit: count.min(1).max(500).optional(),
  /** Only entries before this id: the last id of the previous page. */
  before: z.coerce.number().int().optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>

/** Newest first. */
export const auditPage = z.object({ rows: z.array(auditEntry), next: z.number().optional() })
export type AuditPage = z.infer<typeof auditPage>

/** The unauthenticated requests of one address within ten minutes. */
export const refusalEntry = z.object({
  /** The start of the ten minutes. */
  began: moment,
  /** The time of the last of them. */
  last: moment,
  /** The address; `others` if there were too many addresses at once. */
  address: z.string(),
  action: z.string(),
  code: z.string(),
  count: z.number(),
  /** The account that the last of them tried; empty if it named none. */
  username: z.string(),
})
export type RefusalEntry = z.infer<typeof refusalEntry>

export const refusalQuery = z.object({
  /** Default: 50. */
  limit: count.min(1).max(500).optional(),
})
