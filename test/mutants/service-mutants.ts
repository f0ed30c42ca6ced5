/** Mutants of the services that carry plans out: what they wait for, remember, repeat and tell. */
import { type Mutant, mutantsOf } from './mutant.ts'

const election = mutantsOf(
  'coordination',
  'election',
  'core/src/election/service.ts',
  ['core/test/election'],
  [
    ['a vacancy is counted from before the last leader', 'else this.#vacantSince = undefined', ''],
    [
      'a leader that cannot plan stands again at once',
      'this.#abstainUntil = now + abstention',
      'this.#abstainUntil = now',
    ],
    [
      'who does not lead any more deposes its successor',
      'if (!leads(replica, session.instance)) return\n',
      '',
    ],
  ],
)

const sharding = mutantsOf(
  'coordination',
  'sharding',
  'core/src/sharding/service.ts',
  ['core/test/sharding'],
  [
    [
      'a shard that is being given away is claimed',
      'return this.#underWay !== undefined && this.#underWay.owners[shard] !== instance',
      'return this.#underWay === undefined && this.#host.replica.assignment === undefined && shard < 0 && instance === ""',
    ],
    [
      'a resharding that failed gives its shards away for ever',
      '    } finally {\n      this.#underWay = undefined\n    }',
      `    } finally {
      this.#states = noStates
    }`,
    ],
    [
      'failures of a strategy are counted over successes',
      '      this.#failures = 0\n    } catch',
      '    } catch',
    ],
    [
      'a leader gives up after two failures',
      'if (this.#failures < maximumFailures) return now + 1000',
      'if (this.#failures < maximumFailures - 1) return now + 1000',
    ],
    [
      'the time of a need is not forgotten with it',
      'this.#neededSince = need === undefined ? undefined : (this.#neededSince ?? now)',
      'this.#neededSince ??= now',
    ],
  ],
)

const trigger = mutantsOf(
  'coordination',
  'manual runs',
  'core/src/trigger/service.ts',
  ['core/test/trigger'],
  [
    [
      'an end of a manual run that was refused is never tried again',
      "this.#looked = ''\n      throw",
      'throw',
    ],
    [
      'a manual run is ended by who does not lead',
      'if (manualRun === undefined || !leads) return undefined',
      'if (manualRun === undefined) return undefined',
    ],
    ['a completed manual run is told at every look', '    this.#over = over\n', ''],
    [
      'a death does not make a manual run be looked at again',
      '[manualRun.id, replica.marks, shards.join(), living].join',
      "[manualRun.id, replica.marks, shards.join(), living === ''].join",
    ],
    [
      'a trigger of Java’s tools counts from an earlier one',
      '      this.#firstTrigger = undefined\n      return undefined',
      '      return undefined',
    ],
  ],
)

const reconcile = mutantsOf(
  'coordination',
  'reconcile',
  'core/src/reconcile/service.ts',
  ['core/test/reconcile'],
  [
    [
      'who leads again does not look for leftovers',
      "      this.#lookedOn = ''\n      this.#statesEnd",
      '      this.#statesEnd',
    ],
    [
      'a look that failed counts as done',
      "      this.#lookedOn = ''\n      throw error",
      '      throw error',
    ],
    [
      'a repair that was refused is told',
      "if (isRepaired) emit('reconcile:repaired', { jobName, what })",
      "emit('reconcile:repaired', { jobName, what })",
    ],
    [
      'the interval is forgotten',
      'const isDue = interval > 0 && now >= this.#lookedAt + interval',
      'const isDue = interval > 0 && now > this.#lookedAt + interval * 1000',
    ],
    [
      'states beyond the shard count are never looked for again',
      'total >= this.#statesEnd',
      'total >= 0',
    ],
  ],
)

const execution = [
  ...mutantsOf(
    'coordination',
    'claims',
    'core/src/execution/claimer.ts',
    ['core/test/execution'],
    [
      ['refused claims are tried without an end', 'slot.failures < mostFailures &&', ''],
      [
        'a shard that is being given to somebody else is claimed',
        'slot.failures < mostFailures && !this.#host.givesAway(slot.shard)',
        'slot.failures < mostFailures',
      ],
      [
        'a shard is claimed while code of an earlier session runs it',
        '|| this.#slots.isOrphaned(slot.shard)) return false',
        ') return false',
      ],
      [
        'shards are claimed while the replica still reads',
        `if (!session.isReady || !replica.isSynced) return
    const mixed`,
        'if (!session.isReady) return\n    const mixed',
      ],
    ],
  ),
  ...mutantsOf(
    'coordination',
    'claims',
    'core/src/execution/executor.ts',
    ['core/test/execution'],
    [
      [
        'what was claimed ahead begins after a pause',
        'replica.jobState === jobState && replica.config === config',
        'replica.config === config',
      ],
      [
        'what was claimed ahead begins after another configuration',
        'replica.jobState === jobState && replica.config === config',
        'replica.jobState === jobState',
      ],
      [
        'what was claimed ahead begins in a process that stops',
        'const mayBegin = isSame && !this.#host.isStopping',
        'const mayBegin = isSame',
      ],
      [
        'what was claimed ahead begins although its shard has moved',
        'if (slot.isStale || !slot.isOwned || abort.isAborted) return false',
        'if (abort.isAborted) return false',
      ],
      [
        'what was claimed ahead begins although its shard was disabled',
        'if (!mixed) return this.#host.replica.shards.get(slot.shard)?.disabled !== true',
        'if (!mixed) return true',
      ],
    ],
  ),
  ...mutantsOf(
    'foundation',
    'clock corrections',
    'core/src/execution/clock-corrections.ts',
    ['core/test/execution/claimer.test.ts', 'core/test/execution/service.test.ts'],
    [
      [
        'a shard state is corrected by an instance that does not know the time',
        'if (!this.#isSureOfTime(slot)) return',
        '',
      ],
      [
        'a shard that was corrected is not looked at again',
        'this.#host.look()\n    }\n  }\n\n  #report',
        '}\n  }\n\n  #report',
      ],
    ],
  ),
  ...mutantsOf(
    'foundation',
    'runs',
    'core/src/execution/completer.ts',
    ['core/test/execution/completer.test.ts', 'core/test/execution/claimer.test.ts'],
    [
      [
        'the end of a superseded run is written again',
        "if (isRegistryError(failure, 'REGISTRY_BAD_VERSION')) {",
        "if (isRegistryError(failure, 'REGISTRY_NO_AUTH')) {",
      ],
      [
        'a run that was aborted is handed over although failover is off',
        'this.#host.replica.config !== undefined && failover && shard < shardingTotalCount',
        'this.#host.replica.config !== undefined && shard < shardingTotalCount',
      ],
      [
        'a run beyond the shard count is handed over',
        'failover && shard < shardingTotalCount',
        'failover && shard <= shardingTotalCount',
      ],
      ['an end counts twice', '    if (run.ending !== undefined) return\n', ''],
    ],
  ),
  ...mutantsOf(
    'foundation',
    'runs',
    'core/src/execution/shard-slot.ts',
    ['core/test/execution'],
    [
      [
        'a run that has ended becomes an orphan',
        "expire: { running: 'orphaned',",
        "expire: { running: 'orphaned', ending: 'orphaned',",
      ],
      ['the lease of a run is held for ever', '    this.#run?.lease?.release()\n', ''],
      [
        'a shard that changed during its run is not read again',
        "    if (this.#isStale) this.#state = 'unread'\n",
        '',
      ],
      ['the refused claim of a shard is not counted', '    this.#failures += 1\n', ''],
    ],
  ),
  ...mutantsOf(
    'foundation',
    'runs',
    'core/src/execution/cut-off.ts',
    ['core/test/execution/cut-off.test.ts'],
    [
      [
        'what was cut off is settled while the replica still reads',
        'if (!session.isReady || !replica.isSynced) return',
        'if (!session.isReady) return',
      ],
      [
        'a claim whose reply was lost begins without a proven session',
        'if (!session.client.lease.valid) await session.prove()',
        '',
      ],
      [
        'an end that was written is written again',
        "else if (isOurs && state.value.state === 'running')",
        'else if (isOurs)',
      ],
    ],
  ),
]

const zookeeper = [
  ...mutantsOf(
    'foundation',
    'session',
    'zookeeper/src/session/session.ts',
    ['zookeeper/test/session/session.test.ts'],
    [
      [
        'an earlier transaction replaces a later one',
        'if (zxid > this.#lastZxid) this.#lastZxid = zxid',
        'this.#lastZxid = zxid',
      ],
      [
        'a new session of servers that lost data knows the future',
        'if (isNew && this.#forgetful) this.#lastZxid = 0n',
        '',
      ],
      [
        'a session is lost a whole timeout after the connection',
        'this.#timeout - heardFor)',
        'this.#timeout + heardFor)',
      ],
      [
        'a reconnect does not stop the session from being lost',
        '    this.#lossTimer?.cancel()\n    this.#id = response.sessionId',
        '    this.#id = response.sessionId',
      ],
      [
        'one request too many is refused',
        'this.#outstanding > maxOutstanding',
        'this.#outstanding >= maxOutstanding',
      ],
      [
        'a session of restored servers goes on',
        'const isDoubtful = this.#forgetful && this.#id !== noSession',
        'const isDoubtful = this.#forgetful && this.#id === noSession',
      ],
    ],
  ),
  ...mutantsOf(
    'foundation',
    'latch',
    'zookeeper/src/recipes/leader-latch.ts',
    ['zookeeper/test/recipes/leader-latch.test.ts'],
    [
      [
        'whoever is second leads',
        'this.#setLeadership(position === 0 && isOurs)',
        'this.#setLeadership(position <= 1 && isOurs)',
      ],
      [
        'a node of somebody else leads',
        'const isOurs = stat.ephemeralOwner === this.#client.sessionId',
        'const isOurs = stat.ephemeralOwner > 0n',
      ],
      [
        'a latch that was woken while it looked sleeps on',
        'while (this.#dirty && this.#phase',
        'if (this.#dirty && this.#phase',
      ],
      [
        'a stopped latch leaves its node',
        'await Promise.all([this.#removeNode(), this.#unfollow()])',
        'await this.#unfollow()',
      ],
    ],
  ),
]

export const serviceMutants: readonly Mutant[] = [
  ...election,
  ...sharding,
  ...trigger,
  ...reconcile,
  ...execution,
  ...zookeeper,
]
