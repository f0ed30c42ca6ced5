/** Mutants of what coordination stands on: transactions, replicas, runs, sessions, leases, latches. */
import { type Mutant, mutantsOf } from './mutant.ts'

const committer = mutantsOf(
  'foundation',
  'committer',
  'core/src/registry/committer.ts',
  ['core/test/registry/committer.test.ts'],
  [
    [
      'the culprit of a batch is sought among merged positions',
      'places.slice(first, end).includes(part)',
      '(part >= first && part < end)',
    ],
    [
      'a check is shared across a change of its node',
      'if (changed !== -1) shared.length = changed',
      '',
    ],
    ['checks of different versions are shared', 'one.version === check.version &&\n', '\n'],
    [
      'what is left after a failure is not tried again',
      'if (some.length > 0) void this.#send(some)',
      '',
    ],
    [
      'a batch may be too large',
      '(count > 0 && bytes + unit.bytes > maximumBytes)',
      '(count > 0 && bytes > maximumBytes)',
    ],
  ],
)

const replicaTests = [
  'core/test/job-tree/replica.test.ts',
  'core/test/job-tree/replica-mixed.test.ts',
  'core/test/execution/enabled-shard.test.ts',
]

const replica = [
  ...mutantsOf('foundation', 'replica', 'core/src/job-tree/replica.ts', replicaTests, [
    [
      'a replica that has not been read counts as synced',
      'return this.#loaded && this.#pendingReads.isSettled',
      'return this.#loaded',
    ],
  ]),
  ...mutantsOf('foundation', 'replica', 'core/src/job-tree/job-nodes.ts', replicaTests, [
    [
      'a mark that has gone stays in the replica',
      'this.shardNodes.markDeleted(at.shard, at.mark)',
      'return',
    ],
    [
      'a re-read replica keeps the flag that has gone',
      "      this.#isProcessing = there.includes('processing')\n      this.#necessary = undefined",
      "      this.#isProcessing = there.includes('processing')",
    ],
    [
      'owners are not read when Java comes',
      '    if (!isJavaInstance(instance)) return\n    this.instanceNodes.javaNamed',
      '    if (isJavaInstance(instance)) return\n    this.instanceNodes.javaNamed',
    ],
  ]),
  ...mutantsOf('foundation', 'replica', 'core/src/job-tree/job-instances.ts', replicaTests, [
    [
      'an instance that has gone stays in the replica',
      '    this.#proven.delete(instance)\n    this.#unproven.delete(instance)\n    this.#absences',
      '    this.#unproven.delete(instance)\n    this.#absences',
    ],
  ]),
  ...mutantsOf('foundation', 'replica', 'core/src/job-tree/job-shards.ts', replicaTests, [
    [
      'nobody remembers when a shard was enabled while it was not watched',
      '    this.disabledPeriods.seen(number, shard.disabled, this.#now())\n',
      '',
    ],
  ]),
]

const pendingReads = mutantsOf(
  'foundation',
  'replica',
  'core/src/job-tree/pending-reads.ts',
  ['core/test/job-tree'],
  [
    [
      'an answer that an event has overtaken is believed',
      'if (question.overtaken || result === undefined) this.ask(question.part)',
      'if (result === undefined) this.ask(question.part)',
    ],
    [
      'an answer of an earlier connection is believed',
      '    if (era !== this.#era) return\n    for (const [index',
      '    for (const [index',
    ],
  ],
)

const hub = mutantsOf(
  'foundation',
  'hub',
  'core/src/job-tree/replica-hub.ts',
  ['core/test/job-tree/replica-hub.test.ts'],
  [
    [
      'who died between the answer and its delivery lives',
      'if (eventsThen !== this.#aliveEvents) continue',
      '',
    ],
    [
      'nobody hears that an instance has died',
      "if (type === 'deleted') this.#listener.membersChanged()",
      "if (type === 'created') this.#listener.membersChanged()",
    ],
    [
      'who is alive is known while nothing is connected',
      '    this.#aliveKnown = false\n    for',
      '    for',
    ],
  ],
)

const absences = mutantsOf(
  'foundation',
  'replica',
  'core/src/job-tree/absences.ts',
  ['core/test/job-tree/absences.test.ts'],
  [
    [
      'a Java instance is dead as soon as its node is away',
      'if (end <= now) this.#all.set(instance, { since, isFinal: true })',
      'if (since <= now) this.#all.set(instance, { since, isFinal: true })',
    ],
  ],
)

const jobView = mutantsOf(
  'foundation',
  'replica',
  'core/src/job-tree/job-view.ts',
  ['core/test/job-tree/job-view.test.ts'],
  [
    [
      'an instance that is leaving is dead',
      'if (view.instances.has(instance) || view.alive.has(instance)) return false',
      'if (view.instances.has(instance)) return false',
    ],
    [
      'instances are in another order than Java’s',
      'return a < b ? 1 : -1',
      'return a < b ? -1 : 1',
    ],
    [
      'disabled servers are available',
      "return view.servers.get(ip) !== 'DISABLED'",
      "return view.servers.get(ip) !== 'OFF'",
    ],
  ],
)

const runTests = ['core/test/execution', 'core/test/misfire', 'core/test/mixed.test.ts']

const claimer = mutantsOf('foundation', 'runs', 'core/src/execution/claimer.ts', runTests, [
  [
    'a claim whose outcome is unknown counts as refused',
    'if (isOutcomeUnknown(error)) {',
    'if (!isOutcomeUnknown(error)) {',
  ],
])

const executor = mutantsOf('foundation', 'runs', 'core/src/execution/executor.ts', runTests, [
  [
    'a run begins without a proven session',
    'if (!isProven || run.abort.isAborted) {',
    'if (run.abort.isAborted) {',
  ],
  [
    'a run begins after it was aborted',
    'if (!isProven || run.abort.isAborted) {',
    'if (!isProven) {',
  ],
  [
    'fire times that are gone are not reported',
    '    this.#tellGone(run)\n    return true',
    '    return true',
  ],
])

const completer = mutantsOf('foundation', 'runs', 'core/src/execution/completer.ts', runTests, [
  [
    'an end is written while marks are not known',
    'if (!this.#knowsMarks(run) || !this.#isConfirmed(run))',
    'if (!this.#isConfirmed(run))',
  ],
  [
    'an end is written over the state of a run that has the same version by chance',
    'if (!this.#knowsMarks(run) || !this.#isConfirmed(run))',
    'if (!this.#knowsMarks(run))',
  ],
])

const slots = mutantsOf(
  'foundation',
  'runs',
  'core/src/execution/shard-table.ts',
  ['core/test/execution'],
  [
    [
      'a shard that moved while it was read is believed',
      '  if (slot.isStale) return slot.reset()\n',
      '',
    ],
    [
      'code of an earlier session is forgotten',
      "      if (slot.state === 'orphaned') this.#orphans.set(slot.shard, slot)\n",
      '',
    ],
    [
      'a shard whose node names somebody else is claimed',
      '!(slot.ownership.byTurn || toText(owner.data) === instance)',
      'false',
    ],
  ],
)

const cutOff = mutantsOf(
  'foundation',
  'runs',
  'core/src/execution/cut-off.ts',
  ['core/test/execution'],
  [
    [
      'a claim whose reply was lost is adopted whoever holds the shard',
      'const isOurs = state?.value.run === run.plan.runId',
      'const isOurs = state !== undefined',
    ],
    [
      'an end whose reply was lost is written over its successor',
      'else completer.superseded(run)',
      'else void completer.writeEnds([run])',
    ],
  ],
)

const offsets = mutantsOf(
  'foundation',
  'offsets',
  'core/src/execution/offsets.ts',
  ['core/test/execution'],
  [
    [
      'an offset is saved by a run that was superseded',
      '...(stateVersion === undefined ? [] : [part.check(me.paths.shardState(shard), stateVersion)]),',
      '',
    ],
    [
      'a late offset replaces a later one',
      'part.set(path, offset, before.version)',
      'part.set(path, offset)',
    ],
  ],
)

const lease = mutantsOf(
  'foundation',
  'lease',
  'zookeeper/src/session/lease.ts',
  ['zookeeper/test/session/lease.test.ts'],
  [
    [
      'a write proves the session from its answer on',
      'this.#provenUntil = Math.max(this.#provenUntil, this.#provableUntil(stamp))',
      'this.#provenUntil = Math.max(this.#provenUntil, this.#provableUntil(this.#time.now()))',
    ],
    [
      'the lease does not allow for the tick of the servers',
      'const margin = tick + renewEvery + timeout * drift + options.abortTime',
      'const margin = renewEvery + timeout * drift + options.abortTime',
    ],
    [
      'a write after a long silence proves as much as any',
      'return Math.min(stamp + duration, this.#packets.lastUntil(stamp - tick) + reach)',
      'return stamp + duration + 0 * (reach + tick)',
    ],
    [
      'nobody hears of the end of a lease',
      'if (over) this.#session.ended()',
      'if (!over) this.#session.ended()',
    ],
    ['a held lease is never renewed', 'if (untilRenewal <= 0) {', 'if (untilRenewal < -1e12) {'],
  ],
)

const latch = mutantsOf(
  'foundation',
  'latch',
  'zookeeper/src/recipes/leader-latch.ts',
  [
    'test/zookeeper/conformance/leader-latch.test.ts',
    'test/zookeeper/conformance/leader-latch-session.test.ts',
    'test/zookeeper/conformance/leader-latch-lifecycle.test.ts',
  ],
  [
    [
      'leadership outlives the connection',
      `    this.#assignment++
    this.#setLeadership(false)`,
      '    this.#assignment++',
    ],
    [
      'a latch leads by a look from before the connection was lost',
      'if (assignment === this.#assignment) this.#setLeadership',
      'if (assignment >= 0) this.#setLeadership',
    ],
    [
      'the node of an expired session is kept',
      'if (this.#node !== undefined && this.#nodeSession === this.#client.sessionId) return this.#node',
      'if (this.#node !== undefined) return this.#node',
    ],
  ],
)

const session = mutantsOf(
  'foundation',
  'session',
  'zookeeper/src/session/session.ts',
  [
    'test/zookeeper/conformance/session.test.ts',
    'test/zookeeper/conformance/session-expiry.test.ts',
  ],
  [
    [
      'a session of somebody else is accepted',
      'return this.#id === noSession || this.#id === sessionId',
      'return this.#id !== noSession - 1n || this.#id === sessionId',
    ],
    [
      'a reconnect forgets what was seen',
      'lastZxidSeen: this.#forgetful ? 0n : this.#lastZxid',
      'lastZxidSeen: 0n',
    ],
  ],
)

const deletion = mutantsOf(
  'foundation',
  'operations',
  'core/src/operations/guarded-deletion.ts',
  ['core/test/operations/guarded-deletion.test.ts', 'core/test/operations/removal.test.ts'],
  [
    [
      'the second batch of a deletion has no guard',
      '      batch = [guard]\n',
      '      batch = []\n',
    ],
    [
      'a deletion goes on without its guard',
      'if (!isOvertaken || error.path === guard) throw error',
      'if (!isOvertaken) throw error',
    ],
  ],
)

const instanceId = mutantsOf(
  'foundation',
  'identity',
  'core/src/job-tree/instance-id.ts',
  ['core/test/job-tree/instance-id.test.ts'],
  [
    [
      'an id of ours may look like one of Java’s',
      'let token = pick(letters, random)',
      "let token = pick('0123456789', random)",
    ],
  ],
)

export const foundationMutants: readonly Mutant[] = [
  ...committer,
  ...replica,
  ...pendingReads,
  ...hub,
  ...absences,
  ...jobView,
  ...claimer,
  ...executor,
  ...completer,
  ...slots,
  ...cutOff,
  ...offsets,
  ...lease,
  ...latch,
  ...session,
  ...deletion,
  ...instanceId,
]
