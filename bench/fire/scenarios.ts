/** What is measured of the scheduler: each a program of its own, and what the table shows of its answer. */

/** The figures that a program says, by their names. */
export type Metrics = Readonly<Record<string, number>>

interface Line {
  readonly what: string
  readonly unit: string
  readonly of: (metrics: Metrics) => number
}

export interface Scenario {
  readonly title: string
  /** The program, and what it is told behind the connect string. */
  readonly program: string
  readonly args: readonly number[]
  readonly lines: readonly Line[]
}

const metric = (what: string, unit: string, name: string): Line => ({
  what,
  unit,
  of: (metrics) => metrics[name] ?? Number.NaN,
})

export function scenarios(quick: boolean): Scenario[] {
  const fires = quick ? 3 : 30
  const seconds = quick ? 3 : 30
  const jobs = quick ? 50 : 1_000
  const manyJobs = quick ? 200 : 10_000
  const joining = quick ? 20 : 200
  const times = quick ? 1 : 5
  return [
    ...[1, 100].map((shards) => ({
      title: `A fire of one job, ${shards} local shard${shards === 1 ? '' : 's'}`,
      program: 'fires',
      args: [shards, fires],
      lines: [
        metric('from the fire to the first shard', 'ms', 'firstMedian'),
        metric('– at most', 'ms', 'firstMost'),
        metric('from the fire to the last shard', 'ms', 'lastMedian'),
        metric("from the last shard's end until the registry knows", 'ms', 'recordedMedian'),
        metric('– at most', 'ms', 'recordedMost'),
      ],
    })),
    {
      title: `${jobs.toLocaleString('en')} jobs that all fire each second in one process`,
      program: 'every-second',
      args: [jobs, seconds],
      lines: [
        metric('runs', '', 'runs'),
        metric('– that should have been', '', 'expected'),
        metric('lateness, p50', 'ms', 'p50'),
        metric('– p99', 'ms', 'p99'),
        metric('– at most', 'ms', 'most'),
        metric('CPU of the process', '% of a core', 'cpuPercent'),
      ],
    },
    {
      title: `${manyJobs.toLocaleString('en')} jobs in one process`,
      program: 'many-jobs',
      args: [manyJobs],
      lines: [
        metric('until all are scheduled', 's', 'secondsToSchedule'),
        metric('until all have their shards', 's', 'secondsToOwn'),
        metric('– CPU', 's', 'cpuSeconds'),
        metric('memory of a job', 'bytes', 'bytesPerJob'),
        metric('memory (RSS)', 'MB', 'rssMegabytes'),
        metric('CPU while idle', '% of a core', 'idlePercent'),
        metric('sessions', '', 'sessions'),
      ],
    },
    {
      title: `${joining} instances that join one job within four seconds`,
      program: 'joining',
      args: [joining, 4],
      lines: [
        metric('requests', '', 'requests'),
        metric('events', '', 'events'),
        metric('reshardings', '', 'reshardings'),
        metric('until everybody has a shard', 's', 'secondsToSettle'),
      ],
    },
    ...[1_000, 10_000].map((shards) => ({
      title: `Resharding in which all of ${shards.toLocaleString('en')} shards move`,
      program: 'resharding',
      args: [shards, times],
      lines: [
        metric('until both instances have theirs', 'ms', 'milliseconds'),
        metric('sent by the leader', 'kB', 'kilobytes'),
      ],
    })),
    {
      title: `${manyJobs.toLocaleString('en')} jobs of 10 shards with 20 instances`,
      program: 'full-tree',
      args: [manyJobs, 20, 10],
      lines: [
        metric('nodes', '', 'nodes'),
        metric('memory of all that one instance knows and does', 'MB', 'megabytes'),
        metric('– a node', 'bytes', 'bytesPerNode'),
        metric('until it takes part in all', 's', 'secondsToSettle'),
        metric('– CPU', 's', 'cpuSeconds'),
      ],
    },
  ]
}
