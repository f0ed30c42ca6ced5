/** Who is measured, on which server, and in which words the report speaks of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agenda, bullMq, elasticJob, pgBoss } from '../../drivers/alternatives/settings.ts'
import { peerFolder } from '../../measure/peers.ts'
import type { StoreKind } from './stores.ts'

export interface Contender {
  /** In the tables. */
  readonly name: string
  /** For the driver; for all but ours its folder in `bench/peers`, too. */
  readonly id: string
  readonly store: StoreKind
}

export const ours: Contender = { name: 'ElasticJob', id: 'elasticjob', store: 'ZooKeeper' }

export const peers: readonly Contender[] = [
  { name: 'BullMQ', id: 'bullmq', store: 'Redis' },
  { name: 'pg-boss', id: 'pg-boss', store: 'PostgreSQL' },
  { name: 'Agenda', id: 'agenda', store: 'PostgreSQL' },
]

export const contenders: readonly Contender[] = [ours, ...peers]

/** What is installed, by the lockfile's word for it, such as `BullMQ 6.7.0`. */
export function describeVersion({ name, id }: Contender): string {
  const file = join(peerFolder(id), 'package.json')
  const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  const others = Object.entries(dependencies).filter(([dependency]) => dependency !== id)
  const beside = others.map(([dependency, version]) => ` with ${dependency} ${version}`).join('')
  return `${name} ${dependencies[id] ?? ''}${beside}`
}

/** How each does a job every second. */
export const everySecondNotes: readonly string[] = [
  'ElasticJob: a cron with seconds, its defaults.',
  `BullMQ: a job scheduler with a cron with seconds for each job, all in one queue; a worker with ${settings(bullMq.worker)}.`,
  `pg-boss: its schedules know no seconds, by design. What can be made of it instead: a job that sends its successor for the next second (startAfter), all in one queue; ${settings({ ...pgBoss.worker, batchSize: pgBoss.batchSize })}. It looks into the queue twice a second, which is the least it accepts: how late it is depends on the moment at which its process started, by up to 500 ms from round to round.`,
  `Agenda: a recurring job with a cron with seconds for each, all of one definition; processEvery ${agenda.processEvery.second} ms, for with its default of 5 s it runs each job every 5 s; as many at a time as there are jobs.`,
]

/** What is told to whom so that it notices a crash soon. */
export const crashNotes: readonly string[] = [
  `ElasticJob: the crash is noticed when the session is over, 15 s by default; quick: ${settings(elasticJob.crash.quick)}, on a ZooKeeper with tickTime ${elasticJob.crash.quick.serverTickTime}.`,
  `BullMQ: when the lock of the job is over, 30 s, at one of the checks, every 30 s, by default; quick: ${settings(bullMq.crash.quick)}.`,
  `pg-boss: it does not notice that a process is gone, by design. A run that is not done after 15 min (expireInSeconds, from its begin) is given to another, whether its process lives or not; quick: ${settings({ ...pgBoss.crash.quick.queue, ...pgBoss.crash.quick.boss })}, which no job may outlast. So the longer a job had run when its process was killed, the sooner it is run again.`,
  `Agenda: when the lock of the job is over, 10 min by default; quick: ${settings({ ...agenda.crash.quick.job, ...agenda.crash.quick.agenda })}, and the job has to call touch() all the while. The job here is a single one: a recurring one is not run again, its next fire is waited for.`,
]

function settings(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ')
}
