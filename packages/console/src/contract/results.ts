/** What an operation came to, by name. */
import { z } from 'zod'

import { reason, messageParts } from './message.ts'

const action = z.enum([
  'trigger',
  'pause',
  'resume',
  'enable',
  'disable',
  'shutdown',
  'remove',
  'reshard',
  'enable-shard',
  'disable-shard',
  'stop-run',
  'repair',
])

const target = z.object({
  jobName: z.string(),
  server: z.string().optional(),
  instance: z.string().optional(),
  shard: z.number().optional(),
})

const effect = target.extend({
  text: z.string(),
  /** The same with its parts, for other languages. */
  messageParts,
})

const omission = target.extend(reason.shape)
export type Omission = z.infer<typeof omission>

export const operationResult = z.object({
  action,
  /** What is different now. */
  done: z.array(effect),
  /** What was asked for and was so before. */
  unchanged: z.array(effect),
  /** Whom it did not reach, although nothing went wrong. */
  skipped: z.array(omission),
  /** What went wrong; an operation on many jobs goes on with the others. */
  failed: z.array(omission),
})
export type OperationResult = z.infer<typeof operationResult>

/** One request to run shards now. */
export const manualRun = z.object({
  id: z.number(),
  asked: z.number(),
  parameter: z.string().optional(),
  instances: z.array(z.string()).optional(),
  shards: z.array(z.number()).optional(),
})

export const triggerBody = z
  .object({
    /** Takes the place of `jobParameter` for this manual run. */
    parameter: z.string().max(100_000).optional(),
    /** The instances whose shards are to run; all if absent. */
    instances: z.array(z.string().max(500)).max(10_000).optional(),
    /** The servers whose shards are to run; all if absent. */
    servers: z.array(z.string().max(500)).max(10_000).optional(),
    /** The shards to run; all if absent. */
    shards: z.array(z.number().int().min(0)).max(100_000).optional(),
    /** Only shards whose last run did not end well. */
    failed: z.boolean().optional(),
  })
  .strict()
export type TriggerBody = z.infer<typeof triggerBody>

export const triggerResult = operationResult.extend({
  /** Absent if Java instances alone were asked: they know no manual runs. */
  manualRun: manualRun.optional(),
})

/** What can be done to many jobs at once. */
const bulkAction = z.enum([
  'trigger',
  'pause',
  'resume',
  'enable',
  'disable',
  'shutdown',
  'remove',
  'reshard',
])
export type BulkAction = z.infer<typeof bulkAction>

export const bulkBody = z
  .object({ action: bulkAction, jobs: z.array(z.string().min(1).max(500)).min(1).max(1000) })
  .strict()

/** One for each job that was named, in their order: either it was done, or why not. */
export const bulkResult = z.object({
  action: bulkAction,
  results: z.array(
    z.object({
      jobName: z.string(),
      result: operationResult.optional(),
      error: z
        .object({ code: z.string(), message: z.string(), messageParts: messageParts.optional() })
        .optional(),
    }),
  ),
})
export type BulkResult = z.infer<typeof bulkResult>
