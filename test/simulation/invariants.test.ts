import { describe, expect, test } from 'vitest'

import type { BodyRun, History, Word, WordChange } from './history.ts'
import { violationsOf } from './invariants.ts'

const a = '10.0.0.1@-@1-a'
const b = '10.0.0.2@-@1-b'

function run(changes: Partial<BodyRun> = {}): BodyRun {
  return {
    process: 'p0',
    instance: a,
    jobName: 'job',
    item: 0,
    runId: 'r1',
    source: 'cron',
    fireTime: 1000,
    attempt: 1,
    token: 1n,
    begin: 1000,
    end: 2000,
    result: 'success',
    abortedAt: undefined,
    ...changes,
  }
}

function word(zxid: number, at: number, changes: Partial<Word> = {}): WordChange {
  const claim: Word = {
    state: 'running',
    run: 'r1',
    instance: a,
    fireTime: 1000,
    source: 'cron',
    attempt: 1,
    round: 0,
    begin: at,
    end: 0,
  }
  return { zxid, at, jobName: 'job', item: 0, word: { ...claim, ...changes } }
}

const ended = word(2, 2001, { state: 'idle', end: 2000, outcome: 'success' })

/** One run that was claimed, went well and was written down; then as it is changed. */
function history(changes: Partial<History> = {}): History {
  return {
    seed: 0,
    epoch: 0,
    end: 100_000,
    runs: [run()],
    words: [word(1, 999), ended],
    leases: new Map([
      [1n, [[0, 100_000]]],
      [2n, [[0, 100_000]]],
    ]),
    sessionOf: new Map([
      [a, 1n],
      [b, 2n],
    ]),
    reused: [],
    closed: new Map(),
    forced: new Set(),
    freezes: new Map(),
    expected: [{ jobName: 'job', total: 1, failover: true, fires: [1000] }],
    tree: new Map([
      ['/ns/job/leader/election/instance', a],
      ['/ns/job/sharding/0/instance', a],
    ]),
    hanging: [],
    problems: [],
    told: [],
    done: [],
    transactions: [],
    ...changes,
  }
}

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
  const claim = word(3, 1499, { run: 'r2', instance: b, fireTime: 1500 })

  test('two runs at once, both on valid leases', () => {
    const broken = rulesBroken({ runs: [run(), other], words: [word(1, 999), claim] })
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
    expect(rulesBroken({ leases, forced: new Set([1n]) })).toEqual([])
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
    const words = [word(1, 999), ended, word(3, 2999, { run: 'r2' })]
    const broken = rulesBroken({ runs: [run(), again], words })
    expect(broken).toContainEqual(expect.stringMatching(/^2: .*the same attempt/))
    expect(broken).toContainEqual(expect.stringMatching(/^4: .*was committed/))
  })

  test('a further attempt after a crash', () => {
    const died = run({ result: 'died', end: 1500 })
    const taken = { ...again, attempt: 2, process: 'p1', instance: b }
    const words = [
      word(1, 999),
      word(3, 2500, { state: 'crashed' }),
      word(4, 2999, { run: 'r2', instance: b, attempt: 2 }),
      word(5, 4001, { run: 'r2', instance: b, attempt: 2, state: 'idle', outcome: 'success' }),
    ]
    const closed = new Map([[1n, { zxid: 2, at: 2000 }]])
    const tree = new Map([['/ns/job/leader/election/instance', b]])
    const runs = [died, { ...taken, token: 4n }]
    expect(rulesBroken({ runs, words, closed, tree })).toEqual([])
    const alive = rulesBroken({ runs, words, tree })
    expect(alive).toContainEqual(expect.stringMatching(/^5: .*says crashed, and .* lives/))
  })

  test('an attempt that has no predecessor', () => {
    const words = [word(1, 999, { attempt: 3 }), { ...ended, word: { ...ended.word, attempt: 3 } }]
    const broken = rulesBroken({ runs: [run({ attempt: 3 })], words })
    expect(broken).toContainEqual(expect.stringMatching(/^2: .*attempt 3 after 0/))
  })
})

describe('3: calm again', () => {
  test('a time at which an item did not run', () => {
    const expected = [{ jobName: 'job', total: 1, failover: true, fires: [1000, 2000] }]
    expect(rulesBroken({ expected })).toEqual(['3: job/0 did not run at 1 of its last 2 times'])
  })

  test.each([
    '/ns/job/sharding/0/running',
    '/ns/job/sharding/0/failover',
    '/ns/job/sharding/1/instance',
    '/ns/job/leader/sharding/necessary',
    '/ns/job/leader/failover/items/0',
    '/ns/job/leader/election/latch/x',
    '/ns/job/trigger/10.0.0.1@-@1-a',
    '/ns/job/instances/gone',
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

describe('5: words and deeds', () => {
  test('a run without a claim, and one with the token of another', () => {
    expect(rulesBroken({ words: [] })).toContainEqual(
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

  test('a word that replaces the run of somebody who lives', () => {
    const words = [word(1, 999), word(2, 1500, { run: 'r2', instance: b, fireTime: 1500 })]
    expect(rulesBroken({ words })).toContainEqual(
      expect.stringMatching(/^5: .*whose instance lives/),
    )
  })
})
