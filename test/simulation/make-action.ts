/** From chance to what is done to the cluster. */
import type { SeededRandom } from '@elasticjob/zookeeper/testing'

import { type Action, type JobPlan, periods, strategies } from './scenario.ts'

type Kind = Action['kind']

const weights: Readonly<Record<Action['kind'], number>> = {
  cut: 6,
  'lose-reply': 6,
  expire: 4,
  partition: 6,
  freeze: 6,
  suspend: 3,
  'slow-cpu': 2,
  slow: 6,
  crash: 8,
  stop: 4,
  join: 2,
  'clock-jump': 2,
  'server-pause': 2,
  'server-restart': 3,
  'server-cut': 3,
  'server-lag': 2,
  'set-total': 4,
  'set-period': 2,
  'set-failover': 2,
  'set-misfire': 1,
  'set-strategy': 1,
  reshard: 1,
  'disable-server': 3,
  'disable-shard': 3,
  trigger: 4,
  'delete-instance': 2,
  'pause-job': 3,
  'pause-server': 4,
  'trigger-items': 2,
  'stop-run': 3,
  'ask-shutdown': 2,
  'registry-clock-jump': 2,
  wipe: 3,
  restore: 3,
  // In few scenarios: see extras.ts.
  'corrupt-config': 0,
  'deny-access': 0,
}

/** Some scenarios know few kinds of trouble, so that one is not always hidden behind another. */
export function weightedKinds(random: SeededRandom): Kind[] {
  const all = (Object.keys(weights) as Kind[]).flatMap((kind) =>
    Array.from({ length: weights[kind] }, () => kind),
  )
  if (random.happens(0.5)) return all
  return Array.from({ length: 3 }, () => random.pick(all))
}

export function makeAction(
  kind: Kind,
  random: SeededRandom,
  size: { instances: number; jobs: readonly JobPlan[]; servers: number },
): Action {
  const slot = random.below(size.instances)
  const job = random.below(size.jobs.length)
  const host = random.below(size.servers)
  const span = random.pick([200, 1000, 3000, 8000, 11_000, 13_000, 15_000, 20_000, 40_000])
  const pause = random.pick([1000, 5000, 20_000, 60_000, 120_000])
  const total = size.jobs[job]?.total ?? 1
  const back = random.pick([100, 1000, 5000, 20_000, 60_000])
  switch (kind) {
    case 'cut':
    case 'lose-reply':
    case 'expire':
      return { kind, slot }
    case 'freeze':
    case 'suspend':
      return { kind, slot, for: span }
    case 'partition': {
      const way = random.pick(['both', 'both', 'both', 'to server', 'to client'] as const)
      const isPartial = size.servers > 1 && random.happens(0.3)
      return { kind, slot, way, host: isPartial ? host : undefined, for: span }
    }
    case 'slow-cpu':
      return { kind, slot, turn: random.pick([1, 5, 20]), for: span }
    case 'slow': {
      const to = random.pick(['server', 'client'] as const)
      const delay = random.pick([20, 200, 1000, 4000, 8000])
      return { kind, slot, to, delay, for: span }
    }
    case 'crash':
      return { kind, slot, silent: random.happens(0.5), back }
    case 'stop':
      return { kind, slot, back }
    case 'join':
      return { kind, count: 1 + random.below(4) }
    case 'clock-jump':
      return { kind, slot, by: random.pick([-3_600_000, -5000, -700, 700, 5000, 86_400_000]) }
    case 'server-pause':
      return { kind, host, for: span }
    case 'server-restart':
      return { kind, host }
    case 'server-cut':
      return { kind, host, other: (host + 1) % size.servers, for: span }
    case 'server-lag':
      return { kind, host, by: random.pick([50, 500, 1000, 3000]), for: span }
    case 'set-total':
      return { kind, job, total: random.pick([1, 2, 3, 5, 10, 20]) }
    case 'set-period':
      return { kind, job, period: random.pick(periods) }
    case 'set-failover':
      return { kind, job, failover: random.happens(0.5) }
    case 'set-misfire':
      return { kind, job, misfire: random.happens(0.5) }
    case 'set-strategy':
      return { kind, job, strategy: random.pick(strategies) }
    case 'reshard':
      return { kind, job }
    case 'disable-server':
      return { kind, job, slot, for: span }
    case 'disable-shard':
      return { kind, job, shard: random.below(total), for: span }
    case 'trigger':
      return { kind, job, slot, as: random.pick(['round', 'node'] as const) }
    case 'delete-instance':
    case 'ask-shutdown':
      return { kind, job, slot }
    case 'pause-job':
      return { kind, job, for: pause }
    case 'pause-server':
      return { kind, job, slot, for: pause }
    case 'trigger-items':
      return { kind, job, slot, shards: [random.below(total), random.below(total)] }
    case 'stop-run':
      return { kind, job, shard: random.below(total) }
    case 'corrupt-config':
      return { kind, job, for: random.pick([200, 3000, 20_000]) }
    case 'deny-access': {
      const node = random.pick(['config', 'instances', 'leader', 'sharding', 'sharding/0'])
      return { kind, job, node, for: random.pick([200, 3000, 20_000]) }
    }
    case 'wipe':
      return { kind }
    case 'restore':
      return { kind, age: random.pick([200, 1000, 5000, 20_000, 60_000]) }
    case 'registry-clock-jump':
      return { kind, by: random.pick([-4000, -20_000, 400, 4000, 60_000]) }
  }
}
