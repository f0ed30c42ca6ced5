/** Mutants of how instances agree: who leads, who owns what, what runs, what has crashed. */
import { type Mutant, mutantsOf } from './mutant.ts'

const election = mutantsOf(
  'coordination',
  'election',
  'core/src/election/plan.ts',
  ['core/test/election'],
  [
    [
      'a candidacy ignores the version of the epoch',
      'part.set(paths.assignment, data, assignment?.version ?? 0)',
      'part.set(paths.assignment, data)',
    ],
    [
      'the leader node keeps the version that Java gives it',
      `    part.ephemeral(paths.leaderInstance, me.instance),
    part.set(paths.leaderInstance, me.instance, 0),`,
      '    part.ephemeral(paths.leaderInstance, me.instance),',
    ],
    [
      'the leader node outlives its session',
      'part.ephemeral(paths.leaderInstance, me.instance)',
      'part.create(paths.leaderInstance, me.instance)',
    ],
    [
      'an instance that has left may become leader',
      '  operations.push(part.check(paths.instance(me.instance)))\n',
      '',
    ],
    [
      'the transactions of a leader do not check its epoch',
      `    part.check(me.paths.leaderInstance, ourLeaderVersion),
    part.check(me.paths.assignment, view.assignment?.version ?? -1),`,
      '    part.check(me.paths.leaderInstance, ourLeaderVersion),',
    ],
    [
      'the transactions of a leader do not check that it leads',
      `    part.check(me.paths.leaderInstance, ourLeaderVersion),
    part.check(me.paths.assignment`,
      '    part.check(me.paths.assignment',
    ],
    [
      'a leader on a disabled server goes on',
      "if (!isServerEnabled(view, me.ip)) return 'disabled'",
      'if (!isServerEnabled(view, me.ip)) return undefined',
    ],
    [
      'disabled servers stand for election',
      `  const enabled = [...view.instances].filter((instance) =>
    isServerEnabled(view, serverOf(instance)),
  )`,
      '  const enabled = [...view.instances]',
    ],
    [
      'the first in rank waits, too',
      'const wait = rank * apart',
      'const wait = (rank + 1) * apart',
    ],
    [
      'a paused leader abdicates for instances that declined',
      '.some((instance) => !declined.has(instance))',
      '.length > 0',
    ],
    [
      'the candidacy does not check the latch in a mixed job',
      '  if (latchNode !== undefined) operations.push(part.check(latchNode))\n',
      '',
    ],
  ],
)

const inheritance = mutantsOf(
  'coordination',
  'election',
  'core/src/election/inherit.ts',
  ['core/test/election'],
  [
    [
      'a new leader believes the epoch where a Java leader assigned otherwise',
      'return agrees ? assignment :',
      'return agrees || !agrees ? assignment :',
    ],
  ],
)

const sharding = mutantsOf(
  'coordination',
  'sharding',
  'core/src/sharding/plan.ts',
  ['core/test/sharding'],
  [
    [
      'a resharding does not check that its issuer leads',
      'const checks = [part.check(me.paths.leaderInstance, ourLeaderVersion), ...stateCheck(view, me)]',
      'const checks = stateCheck(view, me)',
    ],
    [
      'a resharding does not check the job state',
      'const checks = [part.check(me.paths.leaderInstance, ourLeaderVersion), ...stateCheck(view, me)]',
      'const checks = [part.check(me.paths.leaderInstance, ourLeaderVersion)]',
    ],
    [
      'a resharding records no former servers',
      'return commit(view, me, need.reason, resharding, records)',
      'return commit(view, me, need.reason, resharding)',
    ],
    [
      'a resharding ignores the version of the epoch',
      '? part.set(path, last, begun)',
      '? part.set(path, last)',
    ],
    [
      'the flag that asked for a resharding stays',
      'if (view.necessary !== undefined) changes.push([part.delete(me.paths.necessary)])',
      '',
    ],
    [
      'surplus shards are deleted while they run',
      'if (shard < owners.length || nodes.running) continue',
      'if (shard < owners.length) continue',
    ],
    [
      'the last shard is taken for surplus',
      'if (shard < owners.length || nodes.running) continue',
      'if (shard < owners.length - 1 || nodes.running) continue',
    ],
    [
      'an owner node is not written where the epoch changes',
      'else changes.push([part.set(paths.owner(shard), owner)])',
      'else continue',
    ],
    [
      'the first of several transactions does not say that the assignment is under way',
      '? part.set(path, first, begun)',
      '? part.check(path, begun)',
    ],
    [
      'the epoch forgets who runs a surplus shard',
      'if (shard >= owners.length && running) all[shard] = ownerOf(view, shard)',
      '',
    ],
  ],
)

const needs = mutantsOf(
  'coordination',
  'sharding',
  'core/src/sharding/needs.ts',
  ['core/test/sharding'],
  [
    [
      'the flag is no need',
      "if (view.necessary !== undefined) return { reason: 'requested', canWait: false }",
      '',
    ],
    [
      'new members are no need',
      "if (members !== membersThen) return { reason: 'instances changed', canWait: true }",
      '',
    ],
    [
      'a shard of an owner that is gone is no orphan',
      'return !nodes.running || isDead(view, owner)',
      'return false',
    ],
    [
      'a moving shard that has ended stays',
      'if (assignment.moving.has(shard) && view.shards.get(shard)?.running !== true) {',
      'if (assignment.moving.has(shard) && view.shards.get(shard)?.running === true) {',
    ],
    [
      'the first surplus shard is overlooked',
      'if (shard >= inputs.total && !running)',
      'if (shard > inputs.total && !running)',
    ],
    [
      'a changed number of shards is no need',
      "if (settings !== settingsThen && assignment.digest !== '') {",
      "if (settings !== settingsThen && assignment.digest === '') {",
    ],
  ],
)

const assignment = mutantsOf(
  'coordination',
  'sharding',
  'core/src/sharding/assignment.ts',
  ['core/test/sharding'],
  [
    [
      'a running shard moves at once',
      'if (owner === undefined || owner === to || !runs || isDead(view, owner)) continue',
      'if (owner !== undefined || owner === to || !runs || isDead(view, owner)) continue',
    ],
    [
      'a running shard of a dead owner stays',
      '|| !runs || isDead(view, owner)) continue',
      '|| !runs) continue',
    ],
    [
      'a shard that waits to move forgets where',
      `    moving.set(shard, to)
`,
      '',
    ],
    [
      'static sharding moves the shards of living owners',
      'if (present.has(owner)) return owner',
      'if (!present.has(owner)) return owner',
    ],
  ],
)

const mixed = mutantsOf(
  'coordination',
  'mixed sharding',
  'core/src/sharding/mixed-plan.ts',
  ['core/test/sharding'],
  [
    [
      'a mixed resharding does not wait for what runs',
      "if (isInTheWay(view, shard, nodes, resharded)) return { do: 'nothing' }",
      '',
    ],
    [
      'a mixed resharding does not wait for Java to have read the flag',
      '(isJavaThere(view) ? settle : 0)',
      '(isJavaThere(view) ? 0 : settle)',
    ],
    [
      'a mixed resharding goes on while a Java instance is away',
      "if (isSomebodyAway(view)) return { do: 'nothing' }",
      '',
    ],
    ['shards that leave Java get no stamp', '    ...stamps,\n', ''],
  ],
)

const stamp = mutantsOf(
  'coordination',
  'mixed sharding',
  'core/src/sharding/stamp.ts',
  ['core/test/sharding'],
  [
    [
      'the stamp takes the fire time at which the flag went up for run',
      'latestAtOrBefore(until - 1, until - context.window)',
      'latestAtOrBefore(until, until - context.window)',
    ],
    [
      'the stamp overwrites a run of ours that goes on',
      "if (before.state === 'running' && !isDead(view, before.instance)) return []\n  const until",
      'const until',
    ],
    [
      'the stamp does not know when a Java instance went',
      'return Math.min(raised, gone ?? Infinity)',
      'return raised',
    ],
  ],
)

const claims = mutantsOf(
  'coordination',
  'claims',
  'core/src/execution/plan.ts',
  ['core/test/execution'],
  [
    [
      'claims and ends ignore the version of the shard state',
      '? [part.set(path, data, stateVersion)]',
      '? [part.set(path, data)]',
    ],
    [
      'a claim does not check what operators want by now',
      `    ...stateCheck(view, me),
`,
      '',
    ],
    [
      'a claim does not check the owner',
      `    part.check(paths.owner(shard), owned.ownerVersion),
`,
      '',
    ],
    [
      'a claim does not check that its instance takes part',
      `    part.check(paths.instance(me.instance)),
    part.check(paths.owner(shard), owned.ownerVersion),`,
      '    part.check(paths.owner(shard), owned.ownerVersion),',
    ],
    [
      'the mark of a run goes with its session although failover is on',
      'settings.failover ? part.create(running, me.instance)',
      'settings.failover ? part.ephemeral(running, me.instance)',
    ],
    [
      'a manual run is not written down',
      "round: due.source === 'trigger' ? due.round.id : before.round",
      'round: before.round',
    ],
    [
      'a manual run takes the place of a fire time',
      "fireTime: due.source === 'trigger' ? before.fireTime : due.fireTime,",
      "fireTime: due.source === 'trigger' ? settings.now : due.fireTime,",
    ],
    [
      'what was not started counts as run',
      "ending.outcome === 'not-started' ? ending.before : claimed",
      "ending.outcome === 'not-started' ? claimed : claimed",
    ],
    [
      'the mark of a run stays at its end',
      `  if (nodes?.running === true) operations.push(part.delete(me.paths.mark(shard, 'running')))
`,
      '',
    ],
    [
      'the marks of a takeover stay at its end',
      `if (nodes?.failover === me.instance)
    operations.push(part.delete(me.paths.mark(shard, 'failover')))`,
      '',
    ],
    [
      'a run that is handed over waits for nobody',
      'if (ending.handOver && !view.failoverShards.has(shard)) {',
      'if (!ending.handOver && view.failoverShards.has(shard)) {',
    ],
    [
      'a run that is handed over is idle',
      "state: ending.handOver ? 'crashed' : 'idle'",
      "state: 'idle'",
    ],
  ],
)

const due = mutantsOf(
  'coordination',
  'due',
  'core/src/fire-times/due.ts',
  ['core/test/execution'],
  [
    [
      'a fire time that was run is due again',
      'if (latest !== undefined && latest > after) {',
      'if (latest !== undefined && latest >= after) {',
    ],
    [
      'what a run ended before is taken for a misfire',
      'latest > shardState.begin && latest <= end',
      'latest > shardState.begin || latest <= end',
    ],
    [
      'a pause stops nothing',
      'if (context.paused || context.fires === undefined) return undefined',
      'if (context.fires === undefined) return undefined',
    ],
    [
      'a manual run that a shard has run is due again',
      `shardState.round < manualRun.id &&
    isTarget`,
      'shardState.manualRun <= manualRun.id && isTarget',
    ],
    [
      'what was scheduled before a shard was enabled is due',
      'return Math.max(accountedUntil(shardState), since, context.since)',
      'return Math.max(shardState.fireTime, since, context.since)',
    ],
    [
      'what was scheduled before a pause was lifted is due',
      'return Math.max(accountedUntil(shardState), since, context.since)',
      'return Math.max(accountedUntil(shardState), since)',
    ],
    [
      'what was scheduled before a shard came into being is due',
      'return Math.max(accountedUntil(shardState), since, context.since)',
      'return Math.max(accountedUntil(shardState), context.since)',
    ],
    [
      'fire times before a clock was set back are due again',
      'fireTime: Math.min(fireTime, now),',
      'fireTime: 0,',
    ],
    [
      'a manual run reaches shards that it is not for',
      '(shards === undefined || shards.includes(shard))',
      '(shards === undefined || !shards.includes(shard))',
    ],
  ],
)

const obstacles = mutantsOf(
  'coordination',
  'claims',
  'core/src/execution/plan.ts',
  ['core/test/execution'],
  [
    ['a disabled shard runs', "if (nodes?.disabled === true) return 'disabled'", ''],
    [
      'a claim forgets a run that waits for failover',
      "if (view.failoverShards.has(shard)) return 'waiting for failover'",
      '',
    ],
    [
      'a claim forgets a crashed run that nobody has reported',
      "if (failover && shardState?.state === 'running' && isDead(view, shardState.instance)) {",
      "if (!failover && shardState?.state === 'running' && isDead(view, shardState.instance)) {",
    ],
    [
      'a shard that somebody has taken over is claimed',
      "if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) return 'taken over'",
      '',
    ],
    [
      'a shard runs while the flag of Java is up',
      "if (mixed && (view.necessary !== undefined || view.processing)) return 'flagged'",
      '',
    ],
    [
      'a shard that runs elsewhere is claimed',
      "if (shardState?.state === 'running' && !isDead(view, shardState.instance)) return true",
      '',
    ],
  ],
)

const ownership = mutantsOf(
  'coordination',
  'claims',
  'core/src/sharding/ownership.ts',
  ['core/test/sharding'],
  [
    [
      'an instance on a disabled server owns shards',
      'if (!isServerEnabled(view, ip)) return mine',
      '',
    ],
    [
      'a shard that comes from Java makes up for what Java ran',
      'view.lastFlag === undefined ? now : view.lastFlag - 1',
      '0',
    ],
  ],
)

const stillHolds = mutantsOf(
  'coordination',
  'claims',
  'core/src/execution/plan.ts',
  ['core/test/execution'],
  [
    [
      'a claim in a mixed job begins although the flag went up',
      'if (!isAbsent(necessary) || !isAbsent(processing)) return false',
      '',
    ],
    [
      'what is unknown counts as absent',
      "result !== undefined && 'error' in result && result.error.code === 'REGISTRY_NO_NODE'",
      "result === undefined || 'error' in result",
    ],
    [
      'a takeover begins although a Java instance has joined',
      'if (!mixed) return !instances.children.some(isJavaInstance)',
      'if (!mixed) return true',
    ],
    [
      'a claim begins on an owner node that was made again',
      "!('data' in owner) || owner.stat.czxid !== ownerCzxid",
      "!('data' in owner)",
    ],
  ],
)

export const coordinationMutants: readonly Mutant[] = [
  ...election,
  ...inheritance,
  ...sharding,
  ...needs,
  ...assignment,
  ...mixed,
  ...stamp,
  ...claims,
  ...due,
  ...obstacles,
  ...ownership,
  ...stillHolds,
]
