/** Servers and instances over all jobs. */
import { z } from 'zod'

import { count, registryQuery } from './common.ts'
import { serverStatus } from './jobs.ts'

/** One server in a list. The first six fields are those of the consoles of 2.x and 3.x. */
export const serverEntry = z.object({
  serverIp: z.string(),
  instances: z.array(z.string()),
  jobNames: z.array(z.string()),
  instancesNum: z.number(),
  jobsNum: z.number(),
  disabledJobsNum: z.number(),
  pausedJobsNum: z.number(),
  /** Jobs without an instance of this server, although no operator shut them down. */
  crashedJobsNum: z.number(),
  /** Shards that its instances own, and shards that they run now. */
  shardsNum: z.number(),
  runningNum: z.number(),
})
export type ServerEntry = z.infer<typeof serverEntry>

export const serverListQuery = registryQuery.extend({
  search: z.string().max(200).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  offset: count.optional(),
  /** Default: all; `X-Total-Count` is the number of matches. */
  limit: count.optional(),
})

/** One job on one server. The first three fields are those of 2.x. */
export const serverJob = z.object({
  jobName: z.string(),
  status: serverStatus,
  instanceCount: z.number(),
  enabled: z.boolean(),
  paused: z.boolean(),
  instances: z.array(z.string()),
  shards: z.array(z.number()),
})
export type ServerJob = z.infer<typeof serverJob>

/** A server with its host name, which lists do not look up. */
export const serverDetail = serverEntry.extend({
  hostName: z.string().optional(),
  jobs: z.array(serverJob),
})
export type ServerDetail = z.infer<typeof serverDetail>

/** One instance in a list: a process. */
export const instanceEntry = z.object({
  instance: z.string(),
  server: z.string(),
  java: z.boolean(),
  jobNames: z.array(z.string()),
  /** The jobs that it leads. */
  leads: z.array(z.string()),
  shardsNum: z.number(),
  runningNum: z.number(),
})
export type InstanceEntry = z.infer<typeof instanceEntry>
