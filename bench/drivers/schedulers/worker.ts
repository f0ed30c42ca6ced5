/** `worker <options>`: a process with our scheduler that does what the contract says. Needs `--expose-gc`. */
import { createInterface } from 'node:readline'
import type { ElasticJob, Job, ShardingContext } from '@elasticjob/core'
import { connect } from '../fire/connect.ts'
import { say } from '../say.ts'
import { bareTransactions } from './bare.ts'
import type { Command, RunLine, WantedJob, WorkerOptions } from './contract.ts'
import { OwnFires } from './own-fires.ts'
import { WallClock } from './wall-clock.ts'

const options = JSON.parse(process.argv[2] ?? '') as WorkerOptions
const { servers, namespace, sessionTimeout, ips } = options
/** What a short session needs to know of the server, so that it can be short. */
const short = { serverTickTime: 200, abortTime: 100 }

const clock = new WallClock()
const ownFires = new OwnFires()
let runs: RunLine[] = []
/** Of all instances. */
const started = new Map<string, Job[]>()

function note({ jobName, shardingItem, fireTime }: ShardingContext): void {
  runs.push([jobName, shardingItem, fireTime.getTime(), clock.now()])
}

/** Ends when it is told to stop: then its work is not done. */
function linger(context: ShardingContext): Promise<void> {
  note(context)
  return new Promise((_, reject) => {
    const { signal } = context
    signal.addEventListener('abort', () => reject(new Error('told to stop')), { once: true })
  })
}

async function noteOnly(context: ShardingContext): Promise<void> {
  note(context)
}

async function connectAs(ip: string): Promise<ElasticJob> {
  const jobs = await connect(servers, namespace, {
    ip,
    environment: { clock: ownFires.clock },
    ...(sessionTimeout === 0 ? {} : { sessionTimeoutMilliseconds: sessionTimeout, ...short }),
  })
  ownFires.follow(jobs)
  return jobs
}

/** Resolves when the instance has shards of every one of these jobs. */
function ownsShardsOf(jobs: ElasticJob, wanted: readonly WantedJob[]): Promise<void> {
  const missing = new Set(wanted.map(({ name }) => name))
  return new Promise((resolve) => {
    jobs.on('shards:owned', ({ jobName, shards }) => {
      if (shards.length > 0) missing.delete(jobName)
      if (missing.size === 0) resolve()
    })
  })
}

async function start(jobs: ElasticJob, wanted: readonly WantedJob[]): Promise<string> {
  let id = ''
  jobs.on('job:registered', ({ instance }) => {
    id = instance
  })
  const owns = ownsShardsOf(jobs, wanted)
  await Promise.all(
    wanted.map(async ({ name, cron, shards, failover, lingers }) => {
      const job = await jobs.schedule(
        { jobName: name, cron, shardingTotalCount: shards, failover },
        lingers ? linger : noteOnly,
      )
      started.set(name, [...(started.get(name) ?? []), job])
    }),
  )
  await owns
  return id
}

async function obey(command: Command): Promise<object> {
  switch (command.do) {
    case 'start': {
      const begun = performance.now()
      const ids = await Promise.all(instances.map((jobs) => start(jobs, command.jobs)))
      return { instances: ids, milliseconds: performance.now() - begun }
    }
    case 'stop':
      await Promise.all((started.get(command.job) ?? []).map((job) => job.stop()))
      return {}
    case 'clear':
      clock.set()
      runs = []
      return {}
    case 'runs':
      return { runs }
    case 'collect':
      globalThis.gc?.()
      return {}
    case 'own-fires':
      return ownFires.next(command.count)
    case 'bare':
      return bareTransactions({ servers, namespace, ...command }, clock)
  }
}

const instances: ElasticJob[] = []
for (const ip of ips) instances.push(await connectAs(ip))
say({})
for await (const line of createInterface({ input: process.stdin })) {
  say((await obey(JSON.parse(line) as Command)) as Record<string, unknown>)
}
// Nobody is interested in how jobs end here.
process.exit(0)
