import { describe, expect, test } from 'vitest'

import { assignmentViolations } from './assignments.ts'
import { a, b, history, job, seen, type Seen } from './hand-made.ts'
import type { History } from './history.ts'

const minute = 60_000
const begin: Seen = [
  1000,
  {
    '/sim/job/config': 'cron: 0/60 * * * * ?\nshardingTotalCount: 2\nstaticSharding: false',
    [`/sim/job/instances/${a}`]: '',
    [`/sim/job/instances/${b}`]: '',
  },
]
const given: Seen = [2 * minute, { '/sim/job/sharding/0/instance': a }]
const moved: Seen = [5 * minute, { '/sim/job/sharding/0/instance': b }]

function broken(happened: readonly Seen[], changes: Partial<History> = {}): string[] {
  const tree = new Map<string, string>()
  const all = history({ ...seen(...happened), tree, expected: [{ ...job, total: 2 }], ...changes })
  return assignmentViolations(all).map(({ text }) => text)
}

function owned(first: string, second: string): ReadonlyMap<string, string> {
  return new Map([
    [`/sim/job/instances/${a}`, ''],
    [`/sim/job/instances/${b}`, ''],
    ['/sim/job/sharding/0/instance', first],
    ['/sim/job/sharding/1/instance', second],
  ])
}

describe('in the end', () => {
  test('shards are spread evenly', () => {
    expect(broken([], { tree: owned(a, b) })).toEqual([])
    expect(broken([], { tree: owned(a, a) })).toEqual([
      'the shards of job are spread unevenly: 2, 0',
    ])
  })

  test('a disabled server has none', () => {
    const tree = new Map([...owned(a, a), ['/sim/job/servers/10.0.0.2', 'DISABLED']])
    expect(broken([], { tree })).toEqual([])
  })
})

describe('a shard leaves a living owner', () => {
  test('only for a reason', () => {
    const even = { tree: owned(a, b) }
    expect(broken([begin, given, moved], even)).toEqual([expect.stringMatching(/for no reason/)])
    const joined: Seen = [4 * minute, { '/sim/job/instances/10.0.0.9@-@1-c': '' }]
    expect(broken([begin, given, joined, moved], even)).toEqual([])
  })

  test('never with static sharding', () => {
    const fixed: Seen = [
      1500,
      { '/sim/job/config': 'cron: 0/60 * * * * ?\nshardingTotalCount: 2\nstaticSharding: true' },
    ]
    const joined: Seen = [4 * minute, { '/sim/job/instances/10.0.0.9@-@1-c': '' }]
    expect(broken([begin, fixed, given, joined, moved])).toEqual([expect.stringMatching(/static/)])
    const tree = owned(a, a)
    expect(broken([begin, fixed], { tree })).toEqual([])
    const { transactions, ...log } = seen(begin, fixed, [minute, {}])
    const body = { kind: 'setAcl', path: '/sim/job/config' }
    const denied = { ...transactions.at(-1), body } as never
    const withDenial = { ...log, transactions: [...transactions.slice(0, -1), denied], tree }
    expect(broken([], withDenial)).toEqual([])
    const died: Seen = [4 * minute, { [`/sim/job/instances/${a}`]: undefined }]
    expect(broken([begin, fixed, given, died, moved])).toEqual([])
  })
})

describe('reshardings', () => {
  const written = (at: number): Seen => [
    at,
    { '/sim/job/leader/sharding': JSON.stringify({ digest: String(at) }) },
  ]

  test('are no more than changes call for', () => {
    const some = Array.from({ length: 8 }, (_, index) => written(2 * minute + index))
    expect(broken([begin, ...some], { tree: owned(a, b) })).toEqual([])
    const many = Array.from({ length: 9 }, (_, index) => written(2 * minute + index))
    expect(broken([begin, ...many], { tree: owned(a, b) })).toEqual([
      'job was resharded 9 times for 3 changes',
    ])
  })
})
