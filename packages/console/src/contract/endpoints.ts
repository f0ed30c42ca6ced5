/**
 * Every endpoint by name: method, path below `/api`, and who may call it. Plain values, so that the page
 * can have them without the schemas; `routes.ts` says what goes in and comes out.
 */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** Below `/api`; `{name}` is one part of the path, percent-encoded. */
  readonly path: string
  /** The least that the one who asks has to be. */
  readonly role: 'nobody' | 'guest' | 'root'
  /** In one line, for the OpenAPI document. */
  readonly summary: string
}

export const endpoints = {
  // Who asks.
  showSession: { method: 'GET', path: '/session', role: 'nobody', summary: 'Who asks' },
  login: { method: 'POST', path: '/session', role: 'nobody', summary: 'Log in' },
  logout: { method: 'DELETE', path: '/session', role: 'nobody', summary: 'Log out' },
  changePassword: {
    method: 'PUT',
    path: '/session/password',
    role: 'guest',
    summary: 'Change a password; every other session of that account ends',
  },
  showOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    role: 'nobody',
    summary: 'This document',
  },

  // Jobs, as the console of 2.x has them.
  countJobs: { method: 'GET', path: '/jobs/count', role: 'guest', summary: 'How many jobs' },
  listJobs: { method: 'GET', path: '/jobs', role: 'guest', summary: 'All jobs' },
  // Before what has the name of a job in its path: `config` stands where a name could.
  showSettings: {
    method: 'GET',
    path: '/jobs/config/{job}',
    role: 'guest',
    summary: 'The configuration of a job, with the names of 2.x beside those of 3.x',
  },
  changeSettings: {
    method: 'PUT',
    path: '/jobs/config',
    role: 'root',
    summary: 'Change the configuration of the job that the body names',
  },
  removeJob: {
    method: 'DELETE',
    path: '/jobs/config/{job}',
    role: 'root',
    summary: 'Take a job out of the registry',
  },
  triggerJob: {
    method: 'POST',
    path: '/jobs/{job}/trigger',
    role: 'root',
    summary: 'Run items now; a GET is refused, for it must change nothing',
  },
  disableJob: {
    method: 'POST',
    path: '/jobs/{job}/disable',
    role: 'root',
    summary: 'Disable a job on all its servers',
  },
  enableJob: {
    method: 'DELETE',
    path: '/jobs/{job}/disable',
    role: 'root',
    summary: 'Enable a job on all its servers',
  },
  shutdownJob: {
    method: 'POST',
    path: '/jobs/{job}/shutdown',
    role: 'root',
    summary: 'Ask all instances to leave a job',
  },
  listShards: {
    method: 'GET',
    path: '/jobs/{job}/sharding',
    role: 'guest',
    summary: 'The items of a job, as 2.x tells of them',
  },
  disableShard: {
    method: 'POST',
    path: '/jobs/{job}/sharding/{item}/disable',
    role: 'root',
    summary: 'Disable an item',
  },
  enableShard: {
    method: 'DELETE',
    path: '/jobs/{job}/sharding/{item}/disable',
    role: 'root',
    summary: 'Enable an item',
  },

  // Jobs, further.
  bulk: {
    method: 'POST',
    path: '/jobs/bulk',
    role: 'root',
    summary: 'Do the same to many jobs',
  },
  showJob: {
    method: 'GET',
    path: '/jobs/{job}/detail',
    role: 'guest',
    summary: 'A job with its items, servers and instances',
  },
  pauseJob: { method: 'POST', path: '/jobs/{job}/pause', role: 'root', summary: 'Pause a job' },
  resumeJob: { method: 'DELETE', path: '/jobs/{job}/pause', role: 'root', summary: 'Resume a job' },
  reshardJob: {
    method: 'POST',
    path: '/jobs/{job}/reshard',
    role: 'root',
    summary: 'Have the items of a job dealt out anew',
  },
  stopRun: {
    method: 'POST',
    path: '/jobs/{job}/sharding/{item}/stop',
    role: 'root',
    summary: 'Ask the run of an item to end',
  },
  showStatistics: {
    method: 'GET',
    path: '/jobs/{job}/statistics',
    role: 'guest',
    summary: 'What the living instances of a job have counted',
  },
  diagnoseJob: {
    method: 'GET',
    path: '/jobs/{job}/doctor',
    role: 'guest',
    summary: 'Why a job does not run, and what to do about it',
  },
  dumpJob: {
    method: 'GET',
    path: '/jobs/{job}/dump',
    role: 'guest',
    summary: 'The tree of a job as text, addresses and secrets masked',
  },
  showConfiguration: {
    method: 'GET',
    path: '/jobs/{job}/configuration',
    role: 'guest',
    summary: 'The configuration of a job as it is stored',
  },
  checkConfiguration: {
    method: 'POST',
    path: '/jobs/{job}/configuration/check',
    role: 'guest',
    summary: 'What a change would do; nothing is written',
  },
  changeConfiguration: {
    method: 'PUT',
    path: '/jobs/{job}/configuration',
    role: 'root',
    summary: 'Change the configuration of a job',
  },
  diagnoseAll: {
    method: 'GET',
    path: '/doctor',
    role: 'guest',
    summary: 'What is in the way of any job',
  },
  previewCron: {
    method: 'GET',
    path: '/cron',
    role: 'guest',
    summary: 'What a cron expression means, and when it fires next',
  },

  // Servers, as the console of 2.x has them.
  countServers: {
    method: 'GET',
    path: '/servers/count',
    role: 'guest',
    summary: 'How many servers',
  },
  listServers: { method: 'GET', path: '/servers', role: 'guest', summary: 'All servers' },
  disableServer: {
    method: 'POST',
    path: '/servers/{server}/disable',
    role: 'root',
    summary: 'Disable a server in all its jobs',
  },
  enableServer: {
    method: 'DELETE',
    path: '/servers/{server}/disable',
    role: 'root',
    summary: 'Enable a server in all its jobs',
  },
  shutdownServer: {
    method: 'POST',
    path: '/servers/{server}/shutdown',
    role: 'root',
    summary: 'Ask the instances of a server to leave all their jobs',
  },
  removeServer: {
    method: 'DELETE',
    path: '/servers/{server}',
    role: 'root',
    summary: 'Take a server out of all its jobs',
  },
  listServerJobs: {
    method: 'GET',
    path: '/servers/{server}/jobs',
    role: 'guest',
    summary: 'The jobs of a server',
  },
  disableServerJob: {
    method: 'POST',
    path: '/servers/{server}/jobs/{job}/disable',
    role: 'root',
    summary: 'Disable one job on one server',
  },
  enableServerJob: {
    method: 'DELETE',
    path: '/servers/{server}/jobs/{job}/disable',
    role: 'root',
    summary: 'Enable one job on one server',
  },
  shutdownServerJob: {
    method: 'POST',
    path: '/servers/{server}/jobs/{job}/shutdown',
    role: 'root',
    summary: 'Ask the instances of a server to leave one job',
  },
  removeServerJob: {
    method: 'DELETE',
    path: '/servers/{server}/jobs/{job}',
    role: 'root',
    summary: 'Take a server out of one job',
  },

  // Servers, further.
  showServer: {
    method: 'GET',
    path: '/servers/{server}/detail',
    role: 'guest',
    summary: 'A server with its jobs and the name of its host',
  },
  pauseServer: {
    method: 'POST',
    path: '/servers/{server}/pause',
    role: 'root',
    summary: 'Pause all jobs of a server on it',
  },
  resumeServer: {
    method: 'DELETE',
    path: '/servers/{server}/pause',
    role: 'root',
    summary: 'Resume all jobs of a server on it',
  },
  pauseServerJob: {
    method: 'POST',
    path: '/servers/{server}/jobs/{job}/pause',
    role: 'root',
    summary: 'Pause one job on one server',
  },
  resumeServerJob: {
    method: 'DELETE',
    path: '/servers/{server}/jobs/{job}/pause',
    role: 'root',
    summary: 'Resume one job on one server',
  },
  dumpFromServer: {
    method: 'POST',
    path: '/servers/{server}/{port}/jobs/{job}/dump',
    role: 'root',
    summary: 'What an instance itself answers on the dump port that its job has in the registry',
  },
  listInstances: {
    method: 'GET',
    path: '/instances',
    role: 'guest',
    summary: 'All instances that are there',
  },

  // Registries.
  listRegistries: {
    method: 'GET',
    path: '/registry-center',
    role: 'guest',
    summary: 'All registries, without passwords',
  },
  saveRegistry: {
    method: 'POST',
    path: '/registry-center',
    role: 'root',
    summary: 'Add a registry, or change the one of that name',
  },
  removeRegistry: {
    method: 'DELETE',
    path: '/registry-center',
    role: 'root',
    summary: 'Forget a registry; nothing is changed in it',
  },
  connectRegistry: {
    method: 'POST',
    path: '/registry-center/connect',
    role: 'guest',
    summary: 'Choose the registry that this user means where none is named; others keep theirs',
  },
  showActivatedRegistry: {
    method: 'GET',
    path: '/registry-center/activated',
    role: 'guest',
    summary: 'The registry that is meant where none is named; null if there is none',
  },
  testRegistry: {
    method: 'POST',
    path: '/registry-center/connectTest',
    role: 'root',
    summary: 'Whether a registry can be reached, and if not, why',
  },
  listNamespaces: {
    method: 'GET',
    path: '/registry-center/namespaces',
    role: 'guest',
    summary: 'The namespaces of a registry that hold jobs',
  },

  // Data sources.
  listDataSources: {
    method: 'GET',
    path: '/data-source',
    role: 'guest',
    summary: 'All data sources, without passwords',
  },
  saveDataSource: {
    method: 'POST',
    path: '/data-source',
    role: 'root',
    summary: 'Add a data source, or change the one of that name',
  },
  removeDataSource: {
    method: 'DELETE',
    path: '/data-source',
    role: 'root',
    summary: 'Forget a data source; nothing is changed in it',
  },
  testDataSource: {
    method: 'POST',
    path: '/data-source/connectTest',
    role: 'root',
    summary: 'Whether a data source can be reached, and if not, why',
  },
  connectDataSource: {
    method: 'POST',
    path: '/data-source/connect',
    role: 'guest',
    summary: 'Choose the data source that this user means where none is named; others keep theirs',
  },
  showActivatedDataSource: {
    method: 'GET',
    path: '/data-source/activated',
    role: 'guest',
    summary: 'The data source that is meant where none is named; null if there is none',
  },

  // History.
  traceExecutions: {
    method: 'GET',
    path: '/event-trace/execution',
    role: 'guest',
    summary: 'Executions in pages by number, as 2.x asks for them',
  },
  traceStatuses: {
    method: 'GET',
    path: '/event-trace/status',
    role: 'guest',
    summary: 'Changes of status in pages by number, as 2.x asks for them',
  },
  listExecutions: {
    method: 'GET',
    path: '/history/executions',
    role: 'guest',
    summary: 'Executions, the newest first',
  },
  listStatusChanges: {
    method: 'GET',
    path: '/history/statuses',
    role: 'guest',
    summary: 'Changes of status, the newest first',
  },
  listHistoryJobs: {
    method: 'GET',
    path: '/history/jobs',
    role: 'guest',
    summary: 'The names of all jobs that have runs',
  },
  showFigures: {
    method: 'GET',
    path: '/history/figures',
    role: 'guest',
    summary: 'The figures of a job by minute, hour or day',
  },
  showTimeline: {
    method: 'GET',
    path: '/history/timeline',
    role: 'guest',
    summary: 'Who ran what in a window of time',
  },
  showRun: {
    method: 'GET',
    path: '/history/runs/{run}',
    role: 'guest',
    summary: 'A run with the other attempts at the same item and time',
  },
  showLog: {
    method: 'GET',
    path: '/history/runs/{run}/log',
    role: 'guest',
    summary: 'The log of a run, or its next part',
  },

  listAudit: {
    method: 'GET',
    path: '/audit',
    role: 'root',
    summary: 'Who did what, the newest first',
  },
  follow: {
    method: 'GET',
    path: '/live',
    role: 'guest',
    summary: 'Changes as they happen, as server-sent events',
  },
} as const satisfies Readonly<Record<string, Endpoint>>

export type EndpointName = keyof typeof endpoints
