import { beforeAll, describe, inject, it } from 'vitest'
import { kazooAvailable } from './kazoo.ts'
import { type KazooOutcome, type KazooSelection, runKazooTests } from './kazoo-suite.ts'
import { type Both, onBothServers } from './servers.ts'

/**
 * The modules of kazoo's tests that connect to a server, in groups that run side by side: most of
 * their time they wait for timeouts of their own.
 */
const groups: readonly (readonly string[])[] = [
  ['test_partitioner', 'test_client', 'test_connection', 'test_interrupt', 'test_party'],
  ['test_watchers', 'test_lock', 'test_barrier', 'test_counter', 'test_election'],
  ['test_cache', 'test_eventlet_handler', 'test_gevent_handler', 'test_lease', 'test_queue'],
]
const modules = groups.flat().toSorted()

/** Tests that one server cannot be enough for. */
const notRun: readonly string[] = [
  // Wants to go on with another server when one is stopped.
  'test_update_host_list',
  // Wants one server to stay, read-only, when two of three are stopped.
  'TestReadOnlyMode',
  // Wants to add a server to three.
  'TestReconfig',
]

/** Tests that stop the server and start it again. */
const restarting = 'test_request_queuing'

const sharing = [restarting, ...notRun].map((name) => `not ${name}`).join(' and ')
const sideBySide = groups.map((tests): KazooSelection => ({ tests, names: sharing }))

describe.skipIf(!inject('realZooKeeper') || !kazooAvailable())("kazoo's own tests", () => {
  let outcomes: Both<readonly KazooOutcome[]>

  beforeAll(async () => {
    outcomes = await onBothServers(
      async (server) => [
        ...(await runKazooTests(server, sideBySide)),
        ...(await runKazooTests(server, [{ tests: modules, names: restarting }])),
      ],
      { keepsData: true },
    )
  }, 300_000)

  it.for(modules)('of %s that pass with ZooKeeper pass here', async (module, context) => {
    const { annotate, expect } = context
    const there = ofModule(outcomes.zooKeeper, module)
    const here = ofModule(outcomes.embedded, module)
    await annotate(`with ZooKeeper ${tally(there)}; here ${tally(here)}`)

    const expected = there.filter(hasPassed).map(({ test }) => test)
    expect(expected.length).toBeGreaterThan(0)
    expect(here.map(({ test }) => test)).toEqual(expect.arrayContaining(expected))
    expect(here.filter(({ test, ...end }) => expected.includes(test) && !hasPassed(end))).toEqual(
      [],
    )
  })
})

/** Of the module's tests, those that are about a server. */
function ofModule(outcomes: readonly KazooOutcome[], module: string): KazooOutcome[] {
  return outcomes.filter(({ test, usesServer }) => usesServer && test.startsWith(`${module}::`))
}

function hasPassed({ outcome }: Pick<KazooOutcome, 'outcome'>): boolean {
  return outcome === 'passed'
}

/** Such as `12 passed`, with the tests that were run again. */
function tally(outcomes: readonly KazooOutcome[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const again = outcomes.filter(({ attempts }) => attempts > 1)
  return [
    ...[...counts].map(([outcome, count]) => `${count} ${outcome}`),
    ...again.map(({ test, attempts }) => `${test} at attempt ${attempts}`),
  ].join(', ')
}
