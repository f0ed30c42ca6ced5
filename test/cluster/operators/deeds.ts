/** What an operator may think of next, by chance. */
import type { Operations, Scope } from '@elasticjob/core/operations'
import type { SeededRandom } from '@elasticjob/zookeeper/testing'

export interface Field {
  readonly jobNames: readonly string[]
  readonly ips: readonly string[]
}

export interface Action {
  readonly what: string
  readonly carryOut: (operations: Operations) => Promise<unknown>
}

export function randomAction(random: SeededRandom, { jobNames, ips }: Field): Action {
  const job = random.pick(jobNames)
  const server = random.pick(ips)
  const shard = random.below(3)
  const scope = random.pick<Scope>([{ job }, { job, server }, { server }])
  const total = 1 + random.below(5)
  const request = random.pick([{}, { shards: [shard] }, { servers: [server] }, { failed: true }])
  const actions: Readonly<Record<string, Action['carryOut']>> = {
    pause: (operations) => operations.pause(scope),
    resume: (operations) => operations.resume(scope),
    disable: (operations) => operations.disable(scope),
    enable: (operations) => operations.enable(scope),
    shutdown: (operations) => operations.shutdown(scope),
    remove: (operations) => operations.remove(scope, { wait: 5000 }),
    trigger: (operations) => operations.trigger(job, request),
    'stop-run': (operations) => operations.stopRun(job, shard),
    'disable-shard': (operations) => operations.disableShard(job, shard),
    'enable-shard': (operations) => operations.enableShard(job, shard),
    reshard: (operations) => operations.reshard(job),
    configure: (operations) =>
      operations.updateConfiguration(job, { shardingTotalCount: total, description: server }),
    look: (operations) =>
      Promise.all([operations.jobs(), operations.servers(), operations.job(job)]),
  }
  const what = random.pick(Object.keys(actions))
  return { what, carryOut: actions[what] as Action['carryOut'] }
}
