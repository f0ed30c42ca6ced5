/** What an operator may think of next, by chance. */
import type { Operations, Scope } from '@elasticjob/core'
import type { SeededRandom } from '@elasticjob/zookeeper'

export interface Field {
  readonly jobNames: readonly string[]
  readonly ips: readonly string[]
}

export interface Deed {
  readonly what: string
  readonly carryOut: (operations: Operations) => Promise<unknown>
}

export function randomDeed(random: SeededRandom, { jobNames, ips }: Field): Deed {
  const job = random.pick(jobNames)
  const server = random.pick(ips)
  const item = random.below(3)
  const scope = random.pick<Scope>([{ job }, { job, server }, { server }])
  const total = 1 + random.below(5)
  const request = random.pick([{}, { items: [item] }, { servers: [server] }, { failed: true }])
  const deeds: Readonly<Record<string, Deed['carryOut']>> = {
    pause: (operations) => operations.pause(scope),
    resume: (operations) => operations.resume(scope),
    disable: (operations) => operations.disable(scope),
    enable: (operations) => operations.enable(scope),
    shutdown: (operations) => operations.shutdown(scope),
    remove: (operations) => operations.remove(scope, { wait: 5000 }),
    trigger: (operations) => operations.trigger(job, request),
    'stop-run': (operations) => operations.stopRun(job, item),
    'disable-shard': (operations) => operations.disableShard(job, item),
    'enable-shard': (operations) => operations.enableShard(job, item),
    reshard: (operations) => operations.reshard(job),
    configure: (operations) =>
      operations.updateConfiguration(job, { shardingTotalCount: total, description: server }),
    look: (operations) =>
      Promise.all([operations.jobs(), operations.servers(), operations.job(job)]),
  }
  const what = random.pick(Object.keys(deeds))
  return { what, carryOut: deeds[what] as Deed['carryOut'] }
}
