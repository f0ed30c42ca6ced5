/**
 * Every endpoint by name: method, path below `/api`, and required role. Plain values, so that the page can use them
 * without the schemas; `routes.ts` has the schemas, `summaries.ts` the descriptions.
 */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** The path below `/api`; `{name}` is one segment, percent-encoded. */
  readonly path: string
  /** The minimum role of the caller. */
  readonly role: 'nobody' | 'guest' | 'root'
}

/** Every endpoint of the REST API: its method, its path and the role that it needs. */
export const endpoints = {
  // Session.
  showSession: { method: 'GET', path: '/session', role: 'nobody' },
  login: { method: 'POST', path: '/session', role: 'nobody' },
  logout: { method: 'DELETE', path: '/session', role: 'nobody' },
  changePassword: { method: 'PUT', path: '/session/password', role: 'guest' },
  showOpenApi: { method: 'GET', path: '/openapi.json', role: 'nobody' },

  // Jobs: endpoints of the console of 2.x.
  countJobs: { method: 'GET', path: '/jobs/count', role: 'guest' },
  listJobs: { method: 'GET', path: '/jobs', role: 'guest' },
  // Before the paths with a job name: `config` is in the place of a name.
  showSettings: { method: 'GET', path: '/jobs/config/{job}', role: 'guest' },
  changeSettings: { method: 'PUT', path: '/jobs/config', role: 'root' },
  removeJob: { method: 'DELETE', path: '/jobs/config/{job}', role: 'root' },
  triggerJob: { method: 'POST', path: '/jobs/{job}/trigger', role: 'root' },
  disableJob: { method: 'POST', path: '/jobs/{job}/disable', role: 'root' },
  enableJob: { method: 'DELETE', path: '/jobs/{job}/disable', role: 'root' },
  shutdownJob: { method: 'POST', path: '/jobs/{job}/shutdown', role: 'root' },
  listShards: { method: 'GET', path: '/jobs/{job}/sharding', role: 'guest' },
  disableShard: { method: 'POST', path: '/jobs/{job}/sharding/{shard}/disable', role: 'root' },
  enableShard: { method: 'DELETE', path: '/jobs/{job}/sharding/{shard}/disable', role: 'root' },

  // Jobs: further endpoints.
  bulk: { method: 'POST', path: '/jobs/bulk', role: 'root' },
  showJob: { method: 'GET', path: '/jobs/{job}/detail', role: 'guest' },
  pauseJob: { method: 'POST', path: '/jobs/{job}/pause', role: 'root' },
  resumeJob: { method: 'DELETE', path: '/jobs/{job}/pause', role: 'root' },
  reshardJob: { method: 'POST', path: '/jobs/{job}/reshard', role: 'root' },
  repairJob: { method: 'POST', path: '/jobs/{job}/repair', role: 'root' },
  stopRun: { method: 'POST', path: '/jobs/{job}/sharding/{shard}/stop', role: 'root' },
  showStatistics: { method: 'GET', path: '/jobs/{job}/statistics', role: 'guest' },
  diagnoseJob: { method: 'GET', path: '/jobs/{job}/doctor', role: 'guest' },
  dumpJob: { method: 'GET', path: '/jobs/{job}/dump', role: 'guest' },
  showConfiguration: { method: 'GET', path: '/jobs/{job}/configuration', role: 'guest' },
  revealConfiguration: { method: 'POST', path: '/jobs/{job}/configuration/reveal', role: 'root' },
  // Not for guests: a caller that tries values learns from the answer which value is stored.
  checkConfiguration: { method: 'POST', path: '/jobs/{job}/configuration/check', role: 'root' },
  changeConfiguration: { method: 'PUT', path: '/jobs/{job}/configuration', role: 'root' },
  diagnoseAll: { method: 'GET', path: '/doctor', role: 'guest' },
  previewCron: { method: 'GET', path: '/cron', role: 'guest' },

  // Servers: endpoints of the console of 2.x.
  countServers: { method: 'GET', path: '/servers/count', role: 'guest' },
  listServers: { method: 'GET', path: '/servers', role: 'guest' },
  disableServer: { method: 'POST', path: '/servers/{server}/disable', role: 'root' },
  enableServer: { method: 'DELETE', path: '/servers/{server}/disable', role: 'root' },
  shutdownServer: { method: 'POST', path: '/servers/{server}/shutdown', role: 'root' },
  removeServer: { method: 'DELETE', path: '/servers/{server}', role: 'root' },
  listServerJobs: { method: 'GET', path: '/servers/{server}/jobs', role: 'guest' },
  disableServerJob: { method: 'POST', path: '/servers/{server}/jobs/{job}/disable', role: 'root' },
  enableServerJob: { method: 'DELETE', path: '/servers/{server}/jobs/{job}/disable', role: 'root' },
  shutdownServerJob: {
    method: 'POST',
    path: '/servers/{server}/jobs/{job}/shutdown',
    role: 'root',
  },
  removeServerJob: { method: 'DELETE', path: '/servers/{server}/jobs/{job}', role: 'root' },

  // Servers: further endpoints.
  showServer: { method: 'GET', path: '/servers/{server}/detail', role: 'guest' },
  pauseServer: { method: 'POST', path: '/servers/{server}/pause', role: 'root' },
  resumeServer: { method: 'DELETE', path: '/servers/{server}/pause', role: 'root' },
  pauseServerJob: { method: 'POST', path: '/servers/{server}/jobs/{job}/pause', role: 'root' },
  resumeServerJob: { method: 'DELETE', path: '/servers/{server}/jobs/{job}/pause', role: 'root' },
  dumpFromServer: {
    method: 'POST',
    path: '/servers/{server}/{port}/jobs/{job}/dump',
    role: 'root',
  },
  listInstances: { method: 'GET', path: '/instances', role: 'guest' },

  // Registries.
  listRegistries: { method: 'GET', path: '/registry-center', role: 'guest' },
  saveRegistry: { method: 'POST', path: '/registry-center', role: 'root' },
  removeRegistry: { method: 'DELETE', path: '/registry-center', role: 'root' },
  connectRegistry: { method: 'POST', path: '/registry-center/connect', role: 'guest' },
  showActivatedRegistry: { method: 'GET', path: '/registry-center/activated', role: 'guest' },
  testRegistry: { method: 'POST', path: '/registry-center/connectTest', role: 'root' },
  listNamespaces: { method: 'GET', path: '/registry-center/namespaces', role: 'guest' },

  // Data sources.
  listDataSources: { method: 'GET', path: '/data-source', role: 'guest' },
  saveDataSource: { method: 'POST', path: '/data-source', role: 'root' },
  removeDataSource: { method: 'DELETE', path: '/data-source', role: 'root' },
  testDataSource: { method: 'POST', path: '/data-source/connectTest', role: 'root' },
  connectDataSource: { method: 'POST', path: '/data-source/connect', role: 'guest' },
  showActivatedDataSource: { method: 'GET', path: '/data-source/activated', role: 'guest' },

  // History.
  traceExecutions: { method: 'GET', path: '/event-trace/execution', role: 'guest' },
  traceStatuses: { method: 'GET', path: '/event-trace/status', role: 'guest' },
  listExecutions: { method: 'GET', path: '/history/executions', role: 'guest' },
  listStatusChanges: { method: 'GET', path: '/history/statuses', role: 'guest' },
  listHistoryJobs: { method: 'GET', path: '/history/jobs', role: 'guest' },
  showRunStatistics: { method: 'GET', path: '/history/statistics', role: 'guest' },
  showTimeline: { method: 'GET', path: '/history/timeline', role: 'guest' },
  showRun: { method: 'GET', path: '/history/runs/{run}', role: 'guest' },
  showLog: { method: 'GET', path: '/history/runs/{run}/log', role: 'guest' },

  listAudit: { method: 'GET', path: '/audit', role: 'root' },
  listRefusals: { method: 'GET', path: '/audit/refusals', role: 'root' },
  follow: { method: 'GET', path: '/live', role: 'guest' },
} as const satisfies Readonly<Record<string, Endpoint>>

/** The name of an endpoint. */
export type EndpointName = keyof typeof endpoints
