import { describe, expect, test } from 'vitest'

import { a, b, ended, history, java, javaRun, job, run, shardState } from './hand-made.ts'
import type { History } from './history.ts'
import { violationsOf } from './invariants.ts'

function rulesBroken(changes: Partial<History>): string[] {
  return violationsOf(history(changes)).map(({ rule, text }) => `${rule}: ${text}`)
}

test('a run that was claimed, went well and was written down breaks no rule', () => {
  expect(rulesBroken({})).toEqual([])
})

describe('1: one valid lease', () => {
  const other = run({
    process: 'p1',
    instance: b,
    runId: 'r2',
    fireTime: 1500,
    begin: 1500,
    token: 3n,
  })
  const claim = shardState(3, 1499, { run: 'r2', instance: b, fireTime: 1500 })

  test('two runs at once, both on valid leases', () => {
    const broken = rulesBroken({ runs: [run(), other], states: [shardState(1, 999), claim] })
    expect(broken).toContainEqual(expect.stringMatching(/^1: .*at once/))
  })

  test('two runs at once, the first on a lease that is over, and told so', () => {
    const broken = rulesBroken({
      runs: [run({ abortedAt: 1400 }), other],
      leases: new Map([
        [1n, [[0, 1400]]],
        [2n, [[0, 100_000]]],
      ]),
    })
    expect(broken).not.toContainEqual(expect.stringMatching(/^1/))
  })

  test('a run that goes on after its lease without being aborted', () => {
    const leases = new Map([[1n, [[0, 1400] as [number, number]]]])
    expect(rulesBroken({ leases })).toContainEqual(expect.stringMatching(/^1: .*was not aborted/))
    const freezes = new Map([['p0', [[1300, 1990] as const]]])
    expect(rulesBroken({ leases, freezes })).not.toContainEqual(expect.stringMatching(/^1/))
    expect(rulesBroken({ leases, forced: new Map([[1n, 1400]]) })).toEqual([])
  })

  test('a run that goes on for longer than a lease after its session was ended by force', () => {
    const runs = [run({ end: 30_000 })]
    const states = [shardState(1, 999), shardState(2, 30_001, { ...ended.shardState, end: 30_000 })]
    expect(rulesBroken({ runs, states, forced: new Map([[1n, 1400]]) })).toContainEqual(
      expect.stringMatching(/^1: .*was not aborted after its session/),
    )
  })

  test('a run whose lease is proven anew when its process wakes', () => {
    const spans: [number, number][] = [
      [0, 1400],
      [1990, 9000],
    ]
    const freezes = new Map([['p0', [[1300, 1980] as const]]])
    const runs = [run({ end: 5000 })]
    const states = [shardState(1, 999), shardState(2, 5001, { ...ended.shardState, end: 5000 })]
    const leases = new Map([[1n, spans]])
    expect(rulesBroken({ runs, states, leases, freezes })).toEqual([])
    expect(rulesBroken({ runs, states, leases })).toContainEqual(
      expect.stringMatching(/^1: .*was not aborted/),
    )
  })

  test('an id that two sessions have', () => {
    expect(rulesBroken({ reused: [a] })).toEqual([`1: ${a} is the name of more than one session`])
  })

  test('a run that begins without a lease', () => {
    const leases = new Map([[1n, [[1001, 9000] as [number, number]]]])
    expect(rulesBroken({ leases })).toContainEqual(expect.stringMatching(/^1: .*without a valid/))
  })
})

describe('2 and 4: once', () => {
  const again = run({ runId: 'r2', begin: 3000, end: 4000, token: 3n })

  test('the same time twice in the same attempt, after its end', () => {
    const states = [shardState(1, 999), ended, shardState(3, 2999, { run: 'r2' })]
    const broken = rulesBroken({ runs: [run(), again], states })
    expect(broken).toContainEqual(expect.stringMatching(/^2: .*the same attempt/))
    expect(broken).toContainEqual(expect.stringMatching(/^4: .*was committed/))
  })

  test('a further attempt after a crash', () => {
    const died = run({ result: 'died', end: 1500 })
    const taken = { ...again, attempt: 2, process: 'p1', instance: b }
    const states = [
      shardState(1, 999),
      shardState(3, 2500, { state: 'crashed' }),
      shardState(4, 2999, { run: 'r2', instance: b, attempt: 2 }),
      shardState(5, 4001, {
        run: 'r2',
        instance: b,
        attempt: 2,
        state: 'idle',
        outcome: 'success',
      }),
    ]
    const closed = new Map([[1n, [{ era: 0, order: 2, at: 2000 }]]])
    const tree = new Map([['/sim/job/leader/election/instance', b]])
    const runs = [died, { ...taken, token: 4n }]
    expect(rulesBroken({ runs, states, closed, tree })).toEqual([])
    // It has said good-bye, and nobody heard that its session was to end with it.
    expect(rulesBroken({ runs, states, left: new Map([[a, 2]]), tree })).toEqual([])
    const alive = rulesBroken({ runs, states, tree })
    expect(alive).toContainEqual(expect.stringMatching(/^5: .*says crashed, and .* lives/))
  })

  test('an attempt that has no predecessor', () => {
    const states = [
      shardState(1, 999, { attempt: 3 }),
      { ...ended, shardState: { ...ended.shardState, attempt: 3 } },
    ]
    const broken = rulesBroken({ runs: [run({ attempt: 3 })], states })
    expect(broken).toContainEqual(expect.stringMatching(/^2: .*attempt 3 after 0/))
  })
})

test('5: a state that replaces one which its writer has not read', () => {
  const closed = shardState(3, 3000, { ...ended.shardState, since: 2500 })
  const claim = shardState(4, 4000, { run: 'r2', fireTime: 4000 })
  const runs = [run(), run({ runId: 'r2', fireTime: 4000, begin: 4000, end: undefined, token: 4n })]
  const lost = rulesBroken({ runs, states: [shardState(1, 999), ended, closed, claim] })
  expect(lost).toContainEqual(expect.stringMatching(/^5: .*forgets .* up to 2500/))
  const kept = { ...claim, shardState: { ...claim.shardState, since: 2500 } }
  const all = rulesBroken({ runs, states: [shardState(1, 999), ended, closed, kept] })
  expect(all).not.toContainEqual(expect.stringMatching(/forgets/))
})

describe('3: calm again', () => {
  test('a time at which a shard did not run', () => {
    const expected = [{ ...job, fires: [1000, 2000] }]
    expect(rulesBroken({ expected })).toEqual(['3: job/0 did not run at 1 of its last 2 times'])
  })

  test.each([
    '/sim/job/sharding/0/running',
    '/sim/job/sharding/0/failover',
    '/sim/job/sharding/1/instance',
    '/sim/job/leader/sharding/necessary',
    '/sim/job/leader/failover/items/0',
    '/sim/job/leader/election/latch/x',
    '/sim/job/trigger/10.0.0.1@-@1-a',
    '/sim/job/instances/gone',
  ])('%s is left', (path) => {
    const tree = new Map([...history().tree, [path, a]])
    expect(rulesBroken({ tree })).toContainEqual(expect.stringContaining(path))
  })

  test('a job without a leader, somebody who waits, a failure that nobody expected', () => {
    expect(rulesBroken({ tree: new Map() })).toEqual(['3: job job has no leader'])
    expect(rulesBroken({ hanging: ['stop()'] })).toEqual(['3: stop()'])
    expect(rulesBroken({ problems: ['oops'] })).toEqual(['3: an unexpected failure: oops'])
  })
})

describe('what Java runs', () => {
  const expected = [{ ...job, isMixed: true, fires: [10_000, 20_000] }]
  const times = (...begins: readonly number[]): string[] => {
    const javaRuns = begins.map((begin) => javaRun({ begin, end: begin + 10 }))
    return rulesBroken({ expected, javaRuns })
  }

  test('counts as run from its time to the next', () => {
    expect(times(10_050, 29_000)).toEqual([])
    expect(times(10_050)).toEqual(['3: job/0 did not run at 1 of its last 2 times'])
    expect(times(9_990, 20_000)).toEqual(['3: job/0 did not run at 1 of its last 2 times'])
  })

  test('and has silenced by a mark of its own, nobody else can wake', () => {
    const { tree } = history({})
    const marked = (instance: string): ReadonlyMap<string, string> =>
      new Map([
        ...tree,
        [`/sim/job/instances/${java}`, ''],
        ['/sim/job/sharding/0/running', instance],
        ['/sim/job/leader/sharding/necessary', ''],
      ])
    expect(rulesBroken({ expected, tree: marked(java) })).toEqual([])
    expect(rulesBroken({ expected, tree: marked('10.0.0.4@-@18') })).toContainEqual(
      '3: job/0 did not run at 2 of its last 2 times',
    )
    const javaRuns = [javaRun({ begin: 1_000, end: undefined })]
    expect(rulesBroken({ expected, javaRuns, tree: marked(java) })).toContainEqual(
      '3: job/0 did not run at 2 of its last 2 times',
    )
  })

  test('may leave a misfire on what is its own, and a wish to itself', () => {
    const owned = new Map([
      ['/sim/job/leader/election/instance', a],
      ['/sim/job/instances/10.0.0.3@-@17', ''],
      ['/sim/job/sharding/0/instance', java],
      ['/sim/job/sharding/0/misfire', ''],
      [`/sim/job/trigger/${java}`, ''],
    ])
    expect(rulesBroken({ tree: owned })).toEqual([])
    owned.delete('/sim/job/instances/10.0.0.3@-@17')
    expect(rulesBroken({ tree: owned })).toEqual([expect.stringContaining('who is gone')])
  })

  test('of a crash of Java a further attempt may be made, of a time that is over', () => {
    const crash = shardState(3, 5000, { state: 'crashed', run: '', instance: java, end: 5000 })
    const taken = shardState(4, 6000, { run: 'r2', attempt: 2 })
    const done = shardState(5, 7001, {
      run: 'r2',
      attempt: 2,
      state: 'idle',
      end: 7000,
      outcome: 'success',
    })
    const again = run({ runId: 'r2', attempt: 2, begin: 6000, end: 7000, token: 4n })
    const states = [shardState(1, 999), ended, crash, taken, done]
    expect(rulesBroken({ runs: [run(), again], states })).toEqual([])
    const without = rulesBroken({
      runs: [run(), again],
      states: [shardState(1, 999), ended, taken, done],
    })
    expect(without).toContainEqual(expect.stringMatching(/^4: .*was committed/))
  })
})

test('with monitorExecution off nothing is written, and nothing of it is promised', () => {
  const twice = [run(), run({ runId: 'r2', process: 'p1', instance: b })]
  const expected = [{ ...job, monitorExecution: false }]
  expect(rulesBroken({ runs: twice, states: [], expected })).toEqual([])
  expect(rulesBroken({ runs: twice, states: [] })).not.toEqual([])
})

describe('5: words and actions', () => {
  test('a run without a claim, and one with the token of another', () => {
    expect(rulesBroken({ states: [] })).toContainEqual(
      expect.stringMatching(/^5: .*without a claim/),
    )
    const runs = [run({ token: 7n })]
    expect(rulesBroken({ runs })).toContainEqual(expect.stringMatching(/^5: .*has the token 7/))
  })

  test('an outcome that was another', () => {
    const runs = [run({ result: 'failure' })]
    expect(rulesBroken({ runs })).toContainEqual(expect.stringMatching(/^5: .*it was failure/))
    const early = [run({ end: 2500 })]
    expect(rulesBroken({ runs: early })).toContainEqual(expect.stringMatching(/^5: .*too early/))
  })

  test('a state that replaces the run of somebody who lives', () => {
    const states = [
      shardState(1, 999),
      shardState(2, 1500, { run: 'r2', instance: b, fireTime: 1500 }),
    ]
    expect(rulesBroken({ states })).toContainEqual(
      expect.stringMatching(/^5: .*whose instance lives/),
    )
  })
})
