/** The input and output schemas of every endpoint. The server mounts the endpoints from this and `endpoints.ts`. */
import { z } from 'zod'

import { auditPage, auditQuery, refusalEntry, refusalQuery } from './audit.ts'
import { count, done, nothing, registryQuery, sourceQuery } from './common.ts'
import {
  configurationBody,
  configurationCheck,
  configurationUpdate,
  jobSettings,
  jobSettingsBody,
  storedConfiguration,
} from './configuration.ts'
import { cronPreview, cronQuery } from './cron.ts'
import { dataSourceBody, dataSourceEntry } from './data-sources.ts'
import { diagnosis } from './doctor.ts'
import type { EndpointName } from './endpoints.ts'
import {
  eventTraceExecutions,
  eventTraceQuery,
  eventTraceStatuses,
  executionPage,
  executionQuery,
  statistics,
  statisticsQuery,
  logQuery,
  runHistory,
  runLog,
  statusPage,
  statusQuery,
  timeline,
  timelineQuery,
} from './history.ts'
import { instanceStatistics, jobDetail, jobEntry, jobListQuery, shardEntry } from './jobs.ts'
import { liveQuery } from './live.ts'
import { connectionTest, nameBody, namespaces, registryBody, registryEntry } from './registries.ts'
import { bulkBody, bulkResult, operationResult, triggerBody, triggerResult } from './results.ts'
import { instanceEntry, serverDetail, serverEntry, serverJob, serverListQuery } from './servers.ts'
import { loginBody, passwordBody, session } from './session.ts'

export interface RouteSchemas {
  readonly params: z.ZodType
  readonly query: z.ZodType
  /** Absent for an endpoint without a body. */
  readonly body?: z.ZodType
  /** Whether the body can be omitted. */
  readonly bodyOptional?: true
  readonly answer: z.ZodType
  /** The media type of an answer that is not JSON. */
  readonly media?: 'text/plain' | 'text/event-stream'
}

const part = z.string().min(1).max(500)
const job = z.object({ job: part })
const jobShard = z.object({ job: part, shard: count.max(1_000_000) })
const server = z.object({ server: part })
const serverInJob = z.object({ server: part, job: part })
const run = z.object({ run: z.string().min(1).max(100) })

/** An operation on the target in the path, which answers with its result. */
const action = { query: registryQuery, answer: operationResult }
/** The same for operations that wait until instances have left. */
const departure = {
  query: registryQuery.extend({
    /** How long to wait for them, in milliseconds; at most 60,000. */
    wait: count.max(60_000).optional(),
  }),
  answer: operationResult,
}

/** The schemas of every endpoint. */
export const routes = {
  showSession: { params: nothing, query: nothing, answer: session },
  login: { params: nothing, query: nothing, body: loginBody, answer: session },
  logout: { params: nothing, query: nothing, answer: done },
  changePassword: { params: nothing, query: nothing, body: passwordBody, answer: done },
  showOpenApi: { params: nothing, query: nothing, answer: z.record(z.string(), z.unknown()) },

  countJobs: { params: nothing, query: registryQuery, answer: z.number() },
  listJobs: { params: nothing, query: jobListQuery, answer: z.array(jobEntry) },
  triggerJob: {
    params: job,
    query: registryQuery,
    body: triggerBody,
    bodyOptional: true,
    answer: triggerResult,
  },
  disableJob: { params: job, ...action },
  enableJob: { params: job, ...action },
  shutdownJob: { params: job, ...departure },
  listShards: { params: job, query: registryQuery, answer: z.array(shardEntry) },
  disableShard: { params: jobShard, ...action },
  enableShard: { params: jobShard, ...action },
  showSettings: { params: job, query: registryQuery, answer: jobSettings },
  changeSettings: {
    params: nothing,
    query: registryQuery,
    body: jobSettingsBody,
    answer: configurationUpdate,
  },
  removeJob: { params: job, ...departure },

  bulk: { params: nothing, query: registryQuery, body: bulkBody, answer: bulkResult },
  showJob: { params: job, query: registryQuery, answer: jobDetail },
  pauseJob: { params: job, ...action },
  resumeJob: { params: job, ...action },
  reshardJob: { params: job, ...action },
  repairJob: {
    params: job,
    query: registryQuery.extend({
      /** `true`: answers what would be reset, and changes nothing. */
      dryRun: z.enum(['true', 'false']).optional(),
    }),
    answer: operationResult,
  },
  stopRun: { params: jobShard, ...action },
  showStatistics: { params: job, query: registryQuery, answer: z.array(instanceStatistics) },
  diagnoseJob: { params: job, query: registryQuery, answer: diagnosis },
  dumpJob: { params: job, query: registryQuery, answer: z.string(), media: 'text/plain' },
  showConfiguration: { params: job, query: registryQuery, answer: storedConfiguration },
  revealConfiguration: { params: job, query: registryQuery, answer: storedConfiguration },
  checkConfiguration: {
    params: job,
    query: registryQuery,
    body: configurationBody,
    answer: configurationCheck,
  },
  changeConfiguration: {
    params: job,
    query: registryQuery,
    body: configurationBody,
    answer: configurationUpdate,
  },
  diagnoseAll: { params: nothing, query: registryQuery, answer: z.array(diagnosis) },
  previewCron: { params: nothing, query: cronQuery, answer: cronPreview },

  countServers: { params: nothing, query: registryQuery, answer: z.number() },
  listServers: { params: nothing, query: serverListQuery, answer: z.array(serverEntry) },
  disableServer: { params: server, ...action },
  enableServer: { params: server, ...action },
  shutdownServer: { params: server, ...departure },
  removeServer: { params: server, ...departure },
  listServerJobs: { params: server, query: serverListQuery, answer: z.array(serverJob) },
  disableServerJob: { params: serverInJob, ...action },
  enableServerJob: { params: serverInJob, ...action },
  shutdownServerJob: { params: serverInJob, ...departure },
  removeServerJob: { params: serverInJob, ...departure },
  showServer: { params: server, query: registryQuery, answer: serverDetail },
  pauseServer: { params: server, ...action },
  resumeServer: { params: server, ...action },
  pauseServerJob: { params: serverInJob, ...action },
  resumeServerJob: { params: serverInJob, ...action },
  dumpFromServer: {
    params: serverInJob.extend({ port: count.min(1).max(65_535) }),
    query: registryQuery,
    answer: z.string(),
    media: 'text/plain',
  },
  listInstances: { params: nothing, query: registryQuery, answer: z.array(instanceEntry) },

  listRegistries: { params: nothing, query: registryQuery, answer: z.array(registryEntry) },
  saveRegistry: { params: nothing, query: nothing, body: registryBody, answer: registryEntry },
  removeRegistry: { params: nothing, query: nothing, body: nameBody, answer: done },
  connectRegistry: { params: nothing, query: nothing, body: nameBody, answer: registryEntry },
  showActivatedRegistry: {
    params: nothing,
    query: registryQuery,
    answer: registryEntry.nullable(),
  },
  testRegistry: { params: nothing, query: nothing, body: registryBody, answer: connectionTest },
  listNamespaces: { params: nothing, query: registryQuery, answer: namespaces },

  listDataSources: { params: nothing, query: sourceQuery, answer: z.array(dataSourceEntry) },
  saveDataSource: {
    params: nothing,
    query: nothing,
    body: dataSourceBody,
    answer: dataSourceEntry,
  },
  removeDataSource: { params: nothing, query: nothing, body: nameBody, answer: done },
  testDataSource: { params: nothing, query: nothing, body: dataSourceBody, answer: connectionTest },
  connectDataSource: { params: nothing, query: nothing, body: nameBody, answer: dataSourceEntry },
  showActivatedDataSource: {
    params: nothing,
    query: sourceQuery,
    answer: dataSourceEntry.nullable(),
  },

  traceExecutions: { params: nothing, query: eventTraceQuery, answer: eventTraceExecutions },
  traceStatuses: { params: nothing, query: eventTraceQuery, answer: eventTraceStatuses },
  listExecutions: { params: nothing, query: executionQuery, answer: executionPage },
  listStatusChanges: { params: nothing, query: statusQuery, answer: statusPage },
  listHistoryJobs: { params: nothing, query: sourceQuery, answer: z.array(z.string()) },
  showRunStatistics: { params: nothing, query: statisticsQuery, answer: statistics },
  showTimeline: { params: nothing, query: timelineQuery, answer: timeline },
  showRun: { params: run, query: sourceQuery, answer: runHistory },
  showLog: { params: run, query: logQuery, answer: runLog },

  listAudit: { params: nothing, query: auditQuery, answer: auditPage },
  listRefusals: { params: nothing, query: refusalQuery, answer: z.array(refusalEntry) },
  follow: { params: nothing, query: liveQuery, answer: z.string(), media: 'text/event-stream' },
} as const satisfies Readonly<Record<EndpointName, RouteSchemas>>

export type Routes = typeof routes

/** The types of the caller: before the schemas convert texts into numbers. */
export type ParamsOf<N extends EndpointName> = z.input<Routes[N]['params']>
/** The query of a request to an endpoint. */
export type QueryOf<N extends EndpointName> = z.input<Routes[N]['query']>
/** The body of a request to an endpoint. */
export type BodyOf<N extends EndpointName> = Routes[N] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : undefined
/** The answer of an endpoint. */
export type AnswerOf<N extends EndpointName> = z.output<Routes[N]['answer']>
