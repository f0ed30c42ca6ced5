/** The names of the tables that are ours, and of those that Java has named. */
export const ours: Readonly<Record<'runs' | 'logs' | 'writers' | 'leases' | 'migrations', string>> =
  Object.freeze({
    runs: 'elasticjob_run',
    logs: 'elasticjob_run_log',
    writers: 'elasticjob_writer',
    leases: 'elasticjob_lease',
    migrations: 'elasticjob_migration',
  })

export const javas: Readonly<Record<'executions' | 'statuses', string>> = Object.freeze({
  executions: 'JOB_EXECUTION_LOG',
  statuses: 'JOB_STATUS_TRACE_LOG',
})
