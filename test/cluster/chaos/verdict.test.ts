import { expect, it } from 'vitest'
import type { Run } from './facts.ts'
import { event, facts, run } from './hand-written.ts'
import type { TreeNode } from './tree.ts'
import { type Evidence, verdictOn } from './verdict.ts'

const instance = '10.0.0.1@-@1-a'
const node = (data: string, isEphemeral = false): TreeNode => ({ data, isEphemeral })

/** One worker, one shard, one run; the tree was read at 5000. */
function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    facts: facts([run(2000)], { events: [event(100, 'job:registered', { instance })] }),
    lives: [{ ended: 6000 }],
    spans: [{ job: 'job', shard: 0, from: 1000, to: 100_000, period: 2000 }],
    triggered: new Map(),
    forbidden: [],
    losses: [],
    reportTime: 500,
    beginTime: 500,
    epochOf: (time) => time,
    calmFrom: 100_000,
    until: 3000,
    abortTime: 500,
    failover: new Map([['job', true]]),
    tree: new Map([[`/chaos/job/instances/${instance}`, node('', true)]]),
    read: [5000, 5010],
    left: new Map([['/chaos', node('')]]),
    lost: [],
    ...changes,
  }
}

const rulesBroken = (of: Evidence): string[] => verdictOn(of).violations.map(({ rule }) => rule)

it('finds nothing when all is well', () => {
  expect(rulesBroken(evidence())).toEqual([])
  expect(verdictOn(evidence()).account.counts).toMatchObject({ ran: 1 })
})

it('asks all rules', () => {
  const twice = [run(2000, { lease: [], end: 2500 }), run(2000, { begin: 3000 })]
  const forbidden = [{ job: 'job', shard: 0, from: 2000, to: 4000 }]
  const saved = [{ at: 2400, offset: 1 }]
  const runs = [{ ...(twice[0] as Run), saved }, twice[1] as Run]
  const of = evidence({ facts: facts(runs), until: 7000, tree: new Map(), forbidden })
  expect(rulesBroken(of)).toEqual([
    'lease',
    'token',
    'started twice',
    'offset lost',
    'switched off',
    'silent',
    'silent',
  ])
})

it('knows who lived when the tree was read', () => {
  expect(rulesBroken(evidence({ lives: [{ ended: 4000 }] }))).toEqual(['left behind'])
  const late = [event(5500, 'job:registered', { instance })]
  expect(rulesBroken(evidence({ facts: facts([run(2000)], { events: late }) }))).toEqual([
    'left behind',
  ])
})

it('allows marks of a shard that ran at about that time', () => {
  const tree = new Map([['/chaos/job/sharding/0/running', node(instance)]])
  expect(rulesBroken(evidence({ tree }))).toEqual(['left behind'])
  expect(rulesBroken(evidence({ tree, read: [3500, 3510] }))).toEqual([])
})

it('finds what belongs to a session when everybody has left', () => {
  const left = new Map([[`/chaos.state/alive/${instance}`, node('', true)]])
  expect(rulesBroken(evidence({ left }))).toEqual(['left behind'])
})

it('finds a process that ended by itself, and errors that nobody has seen to', () => {
  expect(rulesBroken(evidence({ lost: ['worker 1 ended by itself'] }))).toEqual(['lost'])
  const registered = event(100, 'job:registered', { instance })
  const events = [registered, event(200, 'error:unhandled', {}), event(300, 'sharding:failed', {})]
  expect(rulesBroken(evidence({ facts: facts([run(2000)], { events }) }))).toEqual([
    'error:unhandled',
    'sharding:failed',
  ])
})
