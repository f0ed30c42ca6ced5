/** Mutants of what follows a crash or an operator: failover, missed fires, manual runs, repairs, operations. */
import { type Mutant, mutantsOf } from './mutant.ts'

const failover = mutantsOf(
  'coordination',
  'failover',
  'core/src/failover/plan.ts',
  ['core/test/failover'],
  [
    [
      'a run of an instance that lives counts as crashed',
      "return shardState.state === 'running' && isDead(view, shardState.instance)",
      "return shardState.state === 'running'",
    ],
    [
      'a crashed run gets one attempt too many',
      'shardState.value.attempt >= settings.maximumAttempts',
      'shardState.value.attempt > settings.maximumAttempts',
    ],
    [
      'a report of a crash ignores the version of the shard state',
      'part.set(paths.shardState(shard), encodeShardState(crashed), shardState.version)',
      'part.set(paths.shardState(shard), encodeShardState(crashed))',
    ],
    [
      'a crash is reported by who does not lead any more',
      'return latchNode === undefined ? leaderChecks(view, me) : [part.check(latchNode)]',
      'return latchNode === undefined ? [] : [part.check(latchNode)]',
    ],
    [
      'a crashed run is reported and waits for nobody',
      '...waitingMark(view, me, shard, !isAbandoned),',
      '',
    ],
    [
      'the mark of a crashed run stays',
      `...(nodes?.running === true ? [part.delete(paths.mark(shard, 'running'))] : []),
            ...marksOfDead`,
      '...marksOfDead',
    ],
    [
      'a takeover ignores the version of the shard state',
      'part.set(paths.shardState(shard), encodeShardState(fresh), shardState.version)',
      'part.set(paths.shardState(shard), encodeShardState(fresh))',
    ],
    [
      'a takeover is no further attempt',
      'attempt: shardState.value.attempt + 1',
      'attempt: shardState.value.attempt',
    ],
    [
      'what is taken over goes on waiting',
      `      part.delete(paths.failoverShard(shard)),
      ...left.map`,
      '      ...left.map',
    ],
    [
      'the run that is taken over has no mark',
      `      part.create(running, me.instance),
      part.set(paths.shardState(shard), encodeShardState(fresh)`,
      '      part.set(paths.shardState(shard), encodeShardState(fresh)',
    ],
    [
      'a completed run is taken over',
      "return shardState.state === 'crashed' || isCrashed(view, shardState)",
      "return shardState.state === 'crashed' || shardState.state === 'idle' || isCrashed(view, shardState)",
    ],
    [
      'a disabled shard is taken over',
      'if (nodes?.disabled === true || isRunByAnother(view, shard)) continue',
      'if (isRunByAnother(view, shard)) continue',
    ],
    [
      'the rank of a taker is off by one',
      'place % candidates.length === rank || now >= freeFrom',
      '(place + 1) % candidates.length === rank || now >= freeFrom',
    ],
    [
      'what waits is nobody else’s when its taker does nothing',
      'place % candidates.length === rank || now >= freeFrom',
      'place % candidates.length === rank',
    ],
    [
      'shards beyond the number of shards are taken over',
      'filter((shard) => shard < total)',
      'filter((shard) => shard <= total)',
    ],
    [
      'a dismissal deletes nothing',
      `      : part.set(path, encodeShardState(shardState.value), shardState.version),
    part.delete(paths.failoverShard(shard)),`,
      '      : part.set(path, encodeShardState(shardState.value), shardState.version),',
    ],
    [
      'a dismissal ignores the version of the shard state',
      ': part.set(path, encodeShardState(shardState.value), shardState.version),',
      ': part.set(path, encodeShardState(shardState.value)),',
    ],
    [
      'a waiting mark is dismissed while its shard runs',
      "shardState === undefined || (shardState.state !== 'running' && !isTakeable(view, shardState))",
      'shardState === undefined || !isTakeable(view, shardState)',
    ],
    [
      'a given up run makes all fire times since then misfires',
      "{ ...shardState.value, report, state: 'abandoned', end: begin }",
      "{ ...shardState.value, report, state: 'abandoned', end: settings.now }",
    ],
    [
      'switching failover off takes the marks of a living taker',
      'if (by !== undefined && (isDead(view, by) || !nodes.running)) {',
      'if (by !== undefined) {',
    ],
  ],
)

const javaCrash = mutantsOf(
  'coordination',
  'failover',
  'core/src/failover/java-crash-plan.ts',
  ['core/test/failover'],
  [
    [
      'a crashed run of Java’s is taken from a living taker',
      'const isTaken = nodes.failover !== undefined && !isDead(view, nodes.failover)',
      'const isTaken = false && nodes.failover !== undefined',
    ],
    [
      'a crashed run of Java’s is reported although one of ours runs the shard',
      "if (before.state === 'running' && !isDead(view, before.instance)) return undefined",
      '',
    ],
  ],
)

const takeovers = [
  ...mutantsOf(
    'coordination',
    'failover',
    'core/src/execution/executor.ts',
    ['core/test/execution', 'core/test/failover'],
    [
      [
        'a takeover begins without a look at who has joined',
        'if (takeovers.length > 0) {',
        'if (takeovers.length < 0) {',
      ],
      [
        'a takeover whose reply was lost begins like a claim',
        "const takeovers = runs.filter(({ due }) => due.source === 'failover')",
        "const takeovers = runs.filter(({ due }) => due.source === 'trigger')",
      ],
      [
        'a takeover begins without the saved offset',
        "due.source === 'failover' || plan.before.state === 'running'",
        "due.source !== 'failover' && plan.before.state === 'running'",
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'failover',
    'core/src/execution/shard-slot.ts',
    ['core/test/execution', 'core/test/failover'],
    [
      [
        'a slot that was borrowed for a takeover is believed afterwards',
        '    if (isTakeover) this.#isStale = true\n',
        '',
      ],
    ],
  ),
]

const failoverService = mutantsOf(
  'coordination',
  'failover',
  'core/src/failover/service.ts',
  ['core/test/failover', 'core/test/execution'],
  [
    [
      'a new leader does not look for what crashed before',
      'if (!settings.speaks) this.#known = undefined',
      '',
    ],
    [
      'an instance that left while it runs is not watched',
      'if (this.#known?.includes(value.instance) === false) this.#known.push(value.instance)',
      '',
    ],
    [
      'without failover a crashed run is kept for later',
      'const maximumAttempts = failover ? settings.maximumAttempts : 0',
      'const { maximumAttempts } = settings',
    ],
  ],
)

const misfire = mutantsOf(
  'coordination',
  'missed fires',
  'core/src/misfire/plan.ts',
  ['core/test/misfire'],
  [
    [
      'a fire that ran late is reported as missed',
      'if (shardState.fireTime >= fireTime ||',
      'if ((shardState.fireTime >= fireTime && shardState.begin <= fireTime) ||',
    ],
    ['a fire during a run is reported as missed', 'return !ranThen', 'return true'],
    [
      'a fire of a paused server is reported as missed',
      'if (isPaused(jobState, ip) || resumedOn(jobState, ip) >= fireTime) continue',
      'if (resumedOn(jobState, ip) >= fireTime) continue',
    ],
    [
      'what was claimed ahead of its time is asked for',
      '(marked.get(shardingItem) ?? 0) < earliestClaimFor(fireTime)',
      '(marked.get(shardingItem) ?? 0) < fireTime',
    ],
  ],
)

const misfireService = mutantsOf(
  'coordination',
  'missed fires',
  'core/src/misfire/service.ts',
  ['core/test/misfire', 'core/test/execution/enabled-shard.test.ts'],
  [
    [
      'a fire is reported as missed before the grace ends',
      'fires.latestAtOrBefore(now - grace, this.#checked)',
      'fires.latestAtOrBefore(now, this.#checked)',
    ],
    [
      'a fire of a disabled shard is reported as missed',
      'replica.disabledPeriods.endOf(shardingItem, now) < passed',
      'passed > 0 || shardingItem < 0',
    ],
    [
      'nothing is reported as missed',
      'if (silent.length > 0) return',
      'if (silent.length < 0) return',
    ],
    [
      'a report stays in the shard state after it was made',
      'encodeShardState({ ...shardState, report: undefined })',
      'encodeShardState(shardState)',
    ],
  ],
)

const account = mutantsOf(
  'coordination',
  'missed fires',
  'core/src/fire-times/account.ts',
  ['core/test/fire-times/account.test.ts'],
  [
    [
      'the fire time that is claimed is reported as missed',
      'return passed(shard, due.fireTime - 1, context',
      'return passed(shard, due.fireTime, context',
    ],
    [
      'fire times of the last run count as missed',
      "return shardState.state !== 'running' && end > shardState.begin",
      "return shardState.state === 'running' && end > shardState.begin",
    ],
    [
      'what was reported is reported again',
      'fires.length === 0 ? since : Math.max(since ?? 0, ...fires.map(({ last }) => last))',
      'fires.length === 0 ? since : Math.max(since ?? 0, ...fires.map(({ first }) => first))',
    ],
  ],
)

const trigger = mutantsOf(
  'coordination',
  'manual runs',
  'core/src/trigger/plan.ts',
  ['core/test/trigger'],
  [
    [
      'a request ignores the version of the job state',
      `      part.set(me.paths.jobState, encodeJobState(jobState), version),
      ...javaTriggers(view, me, request),`,
      `      part.set(me.paths.jobState, encodeJobState(jobState)),
      ...javaTriggers(view, me, request),`,
    ],
    [
      'a manual run is complete while a shard has not run it',
      'if (shardState === undefined || shardState.round < manualRun.id) return false',
      'if (shardState === undefined) return false',
    ],
    [
      'a manual run is complete while its crashed run waits for failover',
      'return !failover && (shardState.state',
      'return (shardState.state',
    ],
    [
      'a manual run that waits is forgotten',
      '...(pending === undefined ? {} : { running: pending }),',
      '',
    ],
    [
      'an end of a manual run ignores the version of the job state',
      'return [part.set(me.paths.jobState, encodeJobState(jobState), view.jobState.version)]',
      'return [part.set(me.paths.jobState, encodeJobState(jobState))]',
    ],
    [
      'the triggers that became a manual run stay',
      '      ...ours.map((instance) => part.delete(me.paths.trigger(instance))),\n',
      '',
    ],
    [
      'a manual run waits for disabled shards',
      'if (view.shards.get(shard)?.disabled === true) continue',
      '',
    ],
  ],
)

const reconcile = mutantsOf(
  'coordination',
  'reconcile',
  'core/src/reconcile/plan.ts',
  ['core/test/reconcile'],
  [
    [
      'a repair takes the marks of a run that goes on',
      "if (shardState.state === 'running' && (failover || !isDead(view, shardState.instance))) return []",
      "if (shardState.state === 'running' && failover && isDead(view, shardState.instance)) return []",
    ],
    [
      'a repair ignores the version of the shard state',
      'return part.set(path, encodeShardState(shardState.value), shardState.version)',
      'return part.set(path, encodeShardState(shardState.value))',
    ],
    [
      'a repair does not check that its issuer leads',
      'operations: [...checks, ...operations]',
      'operations: [...operations]',
    ],
    [
      'the last shard’s crashed run is taken for surplus',
      'if (shardingItem < total) continue',
      'if (shardingItem < total - 1) continue',
    ],
    [
      'a trigger for a living instance is cleared',
      'if (isJavaInstance(instance) || view.instances.has(instance)) continue',
      'if (isJavaInstance(instance)) continue',
    ],
  ],
)

const servers = mutantsOf(
  'coordination',
  'servers',
  'core/src/reconcile/servers-plan.ts',
  ['core/test/reconcile'],
  [
    [
      'a server is forgotten as soon as it is empty',
      'since + retention <= now && versions.has(ip)',
      'since <= now && versions.has(ip)',
    ],
    [
      'a disabled server is forgotten',
      "stored !== 'DISABLED' && !present.has(ip)",
      '!present.has(ip)',
    ],
    [
      'a cleaning ignores the version of the job state',
      'part.set(me.paths.jobState, encodeJobState(jobState), version)',
      'part.set(me.paths.jobState, encodeJobState(jobState))',
    ],
  ],
)

const registration = mutantsOf(
  'coordination',
  'servers',
  'core/src/servers/plan.ts',
  ['core/test/servers', 'core/test/operations/races.test.ts'],
  [
    [
      'a registration overlooks that the job is being removed',
      'return part.check(paths.jobState, jobState.version)',
      'return part.check(paths.jobState)',
    ],
    [
      'an instance registers without its server',
      `if (stored === undefined) operations.push(part.create(paths.server(me.ip), wish))
  else if`,
      'if',
    ],
    [
      'the instance node outlives its session',
      'part.ephemeral(paths.instance(me.instance), arrival.instanceText)',
      'part.create(paths.instance(me.instance), arrival.instanceText)',
    ],
    [
      'a registration enables a disabled server',
      'else if (arrival.overwrite && stored !== wish)',
      'else if (stored !== wish)',
    ],
  ],
)

const operations = [
  ...mutantsOf(
    'coordination',
    'operations',
    'core/src/operations/switch-plan.ts',
    ['core/test/operations/switch-plan.test.ts', 'core/test/operations/operations.test.ts'],
    [
      [
        'enabling a shard makes up for what it was disabled for',
        '{ ...before, since: now, unreported }',
        '{ ...before, unreported }',
      ],
      [
        'enabling a shard overwrites the state of a run',
        "if (view.jobState !== undefined && shardState?.value.state !== 'running') {",
        'if (view.jobState !== undefined) {',
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'operations',
    'core/src/operations/pause-plan.ts',
    ['core/test/operations/pause-plan.test.ts', 'core/test/operations/operations.test.ts'],
    [
      [
        'resuming makes up for what was paused',
        'if (paused === true) return { ...changes, resumed: now }',
        'if (paused === true) return changes',
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'operations',
    'core/src/operations/action-plan.ts',
    ['core/test/operations'],
    [
      [
        'an operator ignores the version of the job state',
        'return [part.set(paths.jobState, text, view.jobState.version)]',
        'return [part.set(paths.jobState, text)]',
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'operations',
    'core/src/trigger/stop-plan.ts',
    ['core/test/trigger/stop-plan.test.ts', 'core/test/scheduler/operator.test.ts'],
    [
      [
        'a stop is taken back while its run goes on',
        'view.shards.get(Number(shard))?.running)',
        '!view.shards.get(Number(shard))?.running)',
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'operations',
    'core/src/scheduler/departure-plan.ts',
    ['core/test/scheduler/departure-plan.test.ts', 'core/test/scheduler/drain.test.ts'],
    [['a leader that leaves keeps its office', 'transactions.push(planAbdication(view, me))', '']],
  ),
]

export const recoveryMutants: readonly Mutant[] = [
  ...failover,
  ...javaCrash,
  ...takeovers,
  ...failoverService,
  ...misfire,
  ...misfireService,
  ...account,
  ...trigger,
  ...reconcile,
  ...servers,
  ...registration,
  ...operations,
]
