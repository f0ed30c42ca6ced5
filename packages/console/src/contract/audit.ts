/** Who did what to which job, when and from where. */
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
  /** What it was done to, as far as the action has one. */
  jobName: z.string().optional(),
  server: z.string().optional(),
  shard: z.number().optional(),
  outcome: z.enum(['done', 'failed', 'refused']),
  /** What came of it, as text; of a refusal, why. */
  message: z.string(),
  /** The same with its parts, for other languages; absent if it is English alone. */
  messageParts: messageParts.optional(),
  /** Of what went wrong; the message has it before its words. */
  code: z.string().optional(),
  /** What was sent, as far as the audit keeps it: never a password. */
  input: z.unknown().optional(),
  /** The configuration before and after, secrets masked, where it was changed or taken out. */
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
  /** 50 if absent. */
  limit: count.min(1).max(500).optional(),
  /** Entries before this id: the last id of the page before. */
  before: z.coerce.number().int().optional(),
})
export type AuditQuery = z.infer<typeof auditQuery>

/** The newest first. */
export const auditPage = z.object({ rows: z.array(auditEntry), next: z.number().optional() })
export type AuditPage = z.infer<typeof auditPage>

/** Requests of one address that nobody was logged in for, within ten minutes. */
export const refusalEntry = z.object({
  /** When the ten minutes began. */
  began: moment,
  /** The last of them. */
  last: moment,
  /** Where there were too many addresses at once, `others`. */
  address: z.string(),
  action: z.string(),
  code: z.string(),
  count: z.number(),
  /** The account that the last of them tried; empty if it named none. */
  username: z.string(),
})
export type RefusalEntry = z.infer<typeof refusalEntry>

export const refusalQuery = z.object({
  /** 50 if absent. */
  limit: count.min(1).max(500).optional(),
})
