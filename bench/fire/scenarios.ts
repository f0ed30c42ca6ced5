/** What is measured of the scheduler: each a program of its own, and what the table shows of its answer. */

/** The figures that a program says, by their names. */
export type Figures = Readonly<Record<string, number>>

interface Line {
  readonly what: string
  readonly unit: string
  readonly of: (figures: Figures) => number
}

export interface Scenario {
  readonly title: string
  /** The program, and what it is told behind the connect string. */
  readonly program: string
  readonly args: readonly number[]
  readonly lines: readonly Line[]
}

const figure = (what: string, unit: string, name: string): Line => ({
  what,
  unit,
  of: (figures) => figures[name] ?? Number.NaN,
})

export function scenarios(quick: boolean): Scenario[] {
  const fires = quick ? 3 : 30
  const seconds = quick ? 3 : 30
  const jobs = quick ? 50 : 1_000
  const manyJobs = quick ? 200 : 10_000
  const joining = quick ? 20 : 200
  const times = quick ? 1 : 5
  return [
    ...[1, 100].map((items) => ({
      title: `A fire of one job, ${items} local item${items === 1 ? '' : 's'}`,
      program: 'fires',
      args: [items, fires],
      lines: [
        figure('from the fire to the first item', 'ms', 'firstMedian'),
        figure('– at most', 'ms', 'firstMost'),
        figure('from the fire to the last item', 'ms', 'lastMedian'),
        figure("from the last item's end until the registry knows", 'ms', 'recordedMedian'),
        figure('– at most', 'ms', 'recordedMost'),
      ],
    })),
    {
      title: `${jobs.toLocaleString('en')} jobs that all fire each second in one process`,
      program: 'every-second',
      args: [jobs, seconds],
      lines: [
        figure('runs', '', 'runs'),
        figure('– that should have been', '', 'expected'),
        figure('lateness, p50', 'ms', 'p50'),
        figure('– p99', 'ms', 'p99'),
        figure('– at most', 'ms', 'most'),
        figure('CPU of the process', '% of a core', 'cpuPercent'),
      ],
    },
    {
      title: `${manyJobs.toLocaleString('en')} jobs in one process`,
      program: 'many-jobs',
      args: [manyJobs],
      lines: [
        figure('until all are scheduled', 's', 'secondsToSchedule'),
        figure('until all have their items', 's', 'secondsToOwn'),
        figure('– CPU', 's', 'cpuSeconds'),
        figure('memory of a job', 'bytes', 'bytesPerJob'),
        figure('memory (RSS)', 'MB', 'rssMegabytes'),
        figure('CPU while idle', '% of a core', 'idlePercent'),
        figure('sessions', '', 'sessions'),
      ],
    },
    {
      title: `${joining} instances that join one job within four seconds`,
      program: 'joining',
      args: [joining, 4],
      lines: [
        figure('requests', '', 'requests'),
        figure('events', '', 'events'),
        figure('reshardings', '', 'reshardings'),
        figure('until everybody has an item', 's', 'secondsToSettle'),
      ],
    },
    ...[1_000, 10_000].map((items) => ({
      title: `Resharding in which all of ${items.toLocaleString('en')} items move`,
      program: 'resharding',
      args: [items, times],
      lines: [
        figure('until both instances have theirs', 'ms', 'milliseconds'),
        figure('sent by the leader', 'kB', 'kilobytes'),
      ],
    })),
    {
      title: `${manyJobs.toLocaleString('en')} jobs of 10 items with 20 instances`,
      program: 'full-tree',
      args: [manyJobs, 20, 10],
      lines: [
        figure('nodes', '', 'nodes'),
        figure('memory of all that one instance knows and does', 'MB', 'megabytes'),
        figure('– a node', 'bytes', 'bytesPerNode'),
        figure('until it takes part in all', 's', 'secondsToSettle'),
        figure('– CPU', 's', 'cpuSeconds'),
      ],
    },
  ]
}
