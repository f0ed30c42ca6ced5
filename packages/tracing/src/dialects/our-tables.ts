/** The names of our tables and of Java's tables. */
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
