/** Renders a snapshot as lines. */
import type { JobDetail, JobInstance } from '@elasticjob/core/operations'

import { count } from '../output/count.ts'
import { clockTime, distance } from '../output/moments.ts'
import { cut } from '../output/printable.ts'
import { jobStateCell } from '../output/states.ts'
import type { Style } from '../output/style.ts'
import { tableLines } from '../output/table.ts'
import { shardStrip, stripLegend } from './shard-strip.ts'
import type { Snapshot } from './snapshot.ts'

export interface FrameOptions {
  /** The short name of an instance. */
  readonly nameOf: (instance: string) => string
  readonly style: Style
  readonly width: number
}

export function frameLines(snapshot: Snapshot, options: FrameOptions): string[] {
  const { style, width } = options
  const instances = instancesOf(snapshot.jobs)
  const servers = new Set([...instances.values()].map(([first]) => first?.server))
  const running = snapshot.jobs
    .flatMap(({ shards }) => shards)
    .filter(({ run, state }) => {
      return (
        state === 'running' || state === 'taken-over' || (run?.end === undefined && run?.stopping)
      )
    })
  const title = [
    `${snapshot.namespace}: ${count(snapshot.jobCount, 'job')}`,
    `${count(instances.size, 'instance')} on ${count(servers.size, 'server')}`,
    `${count(running.length, 'shard')} running`,
    clockTime(snapshot.time.getTime()),
  ].join('   ')
  const more = snapshot.jobCount - snapshot.jobs.length
  return [
    style.title(cut(title, width)),
    '',
    ...jobLines(snapshot, options),
    ...(more > 0 ? [style.faint(`and ${more} more`)] : []),
    '',
    ...instanceLines(instances, options),
  ]
}

export function jobLines(
  { jobs, time }: Snapshot,
  { nameOf, style, width }: FrameOptions,
): string[] {
  return tableLines<JobDetail>(
    [
      { title: 'JOB', cell: ({ jobName }) => jobName },
      { title: 'STATUS', cell: (job) => jobStateCell(job, style) },
      {
        title: 'NEXT FIRE',
        cell: ({ nextFireTime: at }) => (at ? distance(at.getTime(), time.getTime()) : '-'),
      },
      { title: 'ABOUT', cell: ({ description }) => description },
      {
        title: `SHARDS (${stripLegend})`,
        cell: ({ shards }) => shardStrip(shards, nameOf, style),
      },
    ],
    jobs,
    { style, width },
  )
}

/** The activity of each instance in each job. */
function instancesOf(jobs: readonly JobDetail[]): Map<string, JobInstance[]> {
  const instances = new Map<string, JobInstance[]>()
  for (const { instances: some } of jobs) {
    for (const each of some)
      instances.set(each.instance, [...(instances.get(each.instance) ?? []), each])
  }
  return instances
}

function instanceLines(
  instances: ReadonlyMap<string, readonly JobInstance[]>,
  { nameOf, style, width }: FrameOptions,
): string[] {
  const sum = (parts: readonly JobInstance[], of: (part: JobInstance) => number): string =>
    String(parts.reduce((total, part) => total + of(part), 0))
  return tableLines<readonly [string, readonly JobInstance[]]>(
    [
      { title: '', cell: ([instance]) => ({ text: nameOf(instance), paint: style.accent }) },
      { title: 'INSTANCE', cell: ([instance]) => instance },
      { title: 'JOBS', align: 'right', cell: ([, parts]) => String(parts.length) },
      {
        title: 'SHARDS',
        align: 'right',
        cell: ([, parts]) => sum(parts, (part) => part.shards.length),
      },
      {
        title: 'RUNNING',
        align: 'right',
        cell: ([, parts]) => sum(parts, (part) => part.running.length),
      },
      {
        title: 'LEADS',
        align: 'right',
        cell: ([, parts]) => sum(parts, ({ leads }) => Number(leads)),
      },
    ],
    [...instances],
    { style, width },
  )
}
