/** The result of an operation. */
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
  /** The message parts for translation. */
  messageParts,
})

const omission = target.extend(reason.shape)
export type Omission = z.infer<typeof omission>

export const operationResult = z.object({
  action,
  /** The changes that were made. */
  done: z.array(effect),
  /** Targets that were in the requested state before. */
  unchanged: z.array(effect),
  /** Targets that the operation does not apply to. */
  skipped: z.array(omission),
  /** Targets on which it failed; an operation on many jobs continues with the others. */
  failed: z.array(omission),
})
export type OperationResult = z.infer<typeof operationResult>

/** One manual run. */
export const manualRun = z.object({
  id: z.number(),
  asked: z.number(),
  parameter: z.string().optional(),
  instances: z.array(z.string()).optional(),
  shards: z.array(z.number()).optional(),
})

export const triggerBody = z
  .object({
    /** Replaces `jobParameter` for this manual run. */
    parameter: z.string().max(100_000).optional(),
    /** Only shards of these instances; default: all. */
    instances: z.array(z.string().max(500)).max(10_000).optional(),
    /** Only shards of these servers; default: all. */
    servers: z.array(z.string().max(500)).max(10_000).optional(),
    /** Only these shards; default: all. */
    shards: z.array(z.number().int().min(0)).max(100_000).optional(),
    /** Only shards whose last run did not succeed. */
    failed: z.boolean().optional(),
  })
  .strict()
export type TriggerBody = z.infer<typeof triggerBody>

export const triggerResult = operationResult.extend({
  /** Absent if only Java instances were triggered: Java has no manual runs. */
  manualRun: manualRun.optional(),
})

/** Operations on many jobs at once. */
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

/** One result for each named job, in their order: the result of the operation, or its error. */
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
