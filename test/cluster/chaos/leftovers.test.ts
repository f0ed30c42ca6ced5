import { expect, it } from 'vitest'
import { leftovers, type TreeFacts } from './leftovers.ts'

const living = '10.0.0.1@-@1-a'
const gone = '10.0.0.2@-@2-b'

const shardState = (state: string): string => JSON.stringify({ state })

/** A job of one shard that does not run. */
const calm: readonly (readonly [string, string])[] = [
  ['/chaos', ''],
  ['/chaos/job', ''],
  ['/chaos/job/instances', ''],
  [`/chaos/job/instances/${living}`, 'text'],
  ['/chaos/job/leader/election/instance', living],
  ['/chaos/job/leader/election/latch', ''],
  ['/chaos/job/leader/failover/items', ''],
  ['/chaos/job/leader/sharding', '{}'],
  ['/chaos/job/servers/10.0.0.2', 'ENABLED'],
  ['/chaos/job/sharding/0', ''],
  ['/chaos/job/sharding/0/instance', living],
  ['/chaos/job/trigger', ''],
  [`/chaos.state/alive/${living}`, ''],
  [`/chaos.state/lease/${living}`, ''],
  ['/chaos.state/jobs/job', '{}'],
  ['/chaos.state/execution/job', ''],
  ['/chaos.state/execution/job/0', shardState('idle')],
]

function found(
  nodes: readonly (readonly [string, string])[],
  changes: Partial<TreeFacts> = {},
): string[] {
  return leftovers({
    tree: new Map([...calm, ...nodes]),
    living: new Set([living]),
    busy: new Set(),
    failover: new Map([['job', true]]),
    ...changes,
  }).map(({ text }) => text.split(' ')[0] as string)
}

it('finds nothing in a tree in which nothing is under way', () => {
  expect(found([])).toEqual([])
})

it.each([
  ['/chaos/job/sharding/0/running', living],
  ['/chaos/job/sharding/0/failover', gone],
  ['/chaos/job/sharding/0/failovering', gone],
  ['/chaos/job/sharding/0/misfire', ''],
  ['/chaos/job/leader/failover/items/0', ''],
  ['/chaos/job/leader/failover/latch/_c_1-latch-0000000001', ''],
  ['/chaos/job/leader/election/latch/_c_1-latch-0000000001', ''],
  ['/chaos/job/leader/sharding/necessary', ''],
  ['/chaos/job/leader/sharding/processing', ''],
  [`/chaos/job/trigger/${living}`, ''],
  [`/chaos/job/instances/${gone}`, ''],
  ['/chaos/job/leader/election/instance', gone],
  ['/chaos/job/sharding/0/instance', gone],
  [`/chaos.state/alive/${gone}`, ''],
  [`/chaos.state/lease/${gone}`, ''],
  ['/chaos.state/execution/job/0', shardState('running')],
  ['/chaos.state/execution/job/0', shardState('crashed')],
])('finds %s', (path, data) => {
  expect(found([[path, data]])).toEqual([path])
})

it('leaves a shard alone that runs', () => {
  const nodes = [
    ['/chaos/job/sharding/0/running', living],
    ['/chaos/job/sharding/0/failover', living],
    ['/chaos.state/execution/job/0', shardState('running')],
  ] as const
  expect(found(nodes, { busy: new Set(['job/0']) })).toEqual([])
})

it('leaves a crashed run alone that nobody is to take over', () => {
  const nodes = [['/chaos.state/execution/job/0', shardState('crashed')]] as const
  expect(found(nodes, { failover: new Map([['job', false]]) })).toEqual([])
})
