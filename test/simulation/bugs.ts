/**
 * Mistakes that somebody could make, put into the product for the time of a test: the simulation has to
 * find every one of them.
 */

import type { Clock, Transport } from '@elasticjob/zookeeper'

import type { Scenario } from './scenario.ts'

/** What a module exports. */
type Exports = Readonly<Record<string, unknown>>

export interface Bug {
  readonly name: string
  /** What a scenario has to have for it to be found: Java, or something rare. */
  readonly needs?: (scenario: Scenario) => boolean
  /** The module that has it, below `packages/`. */
  readonly module: string
  readonly make: (original: Exports) => Exports
  /** Another module that makes the same mistake: else one would make up for the other. */
  readonly also?: Pick<Bug, 'module' | 'make'>
}

interface ClientParts {
  readonly transport: Transport
  readonly clock: Clock
}

interface Proof {
  prove(stamp: number): void
}

type Callable = (...values: readonly unknown[]) => unknown
type Constructor = new (...values: readonly unknown[]) => object

interface Part {
  readonly type: string
  readonly path: string
  readonly version?: number
}

interface Plan {
  readonly operations: readonly Part[]
  readonly shardState: Readonly<Record<string, unknown>>
}

/** A function that answers something else. */
function answering(name: string, change: (answer: never) => unknown): Bug['make'] {
  return (original) => {
    const right = original[name] as Callable
    return { ...original, [name]: (...values: unknown[]) => change(right(...values) as never) }
  }
}

/** A function that is another one. */
function replacing(name: string, wrong: Callable): Bug['make'] {
  return (original) => ({ ...original, [name]: wrong })
}

/** A method that does something else, whoever makes the object. */
function method(className: string, name: string, wrong: (this: object) => unknown): Bug['make'] {
  return (original) => {
    const { prototype } = original[className] as Constructor
    Object.defineProperty(prototype, name, { value: wrong })
    return original
  }
}

/** A plan without some of its operations. */
function without(name: string, isMissing: (part: Part) => boolean): Bug['make'] {
  return answering(name, (plan: Plan) => ({
    ...plan,
    operations: plan.operations.filter((part) => !isMissing(part)),
  }))
}

/** Plans that set the shard state whatever its version is. */
function blind(...names: readonly string[]): Bug['make'] {
  return (original) =>
    names.reduce(
      (exports, name) =>
        answering(name, (plan: Plan) => ({
          ...plan,
          operations: plan.operations.map((part) =>
            part.type === 'set' && part.path.includes('.state/execution/')
              ? { ...part, version: -1 }
              : part,
          ),
        }))(exports),
      original,
    )
}

function hasJava({ java }: Scenario): boolean {
  return java > 0
}

function has(events: Scenario['events'], wanted: Scenario['events'][number]['kind']): boolean {
  return events.some(({ kind }) => kind === wanted)
}

/** An account of fire times that keeps those to itself whose reason is like this. */
function silentAbout(reason: RegExp): Bug['make'] {
  const change = (reported: readonly { readonly reason: string }[]): unknown =>
    reported.filter((row) => !reason.test(row.reason))
  return (original) =>
    answering('passedByClaim', change)(answering('passedForGood', change)(original))
}

/** A job as it would be if nobody had paused it. */
function withoutPause(view: object): object {
  return new Proxy(view, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target)
      if (key !== 'jobState' || value === undefined) return value
      const { value: state, version } = value as { value: object; version: number }
      return { value: { ...state, paused: false, pausedServers: [] }, version }
    },
  })
}

export const bugs: readonly Bug[] = [
  {
    name: "the state's version is ignored",
    module: 'core/src/execution/plan.ts',
    make: blind('planClaim', 'planEnd'),
    also: { module: 'core/src/failover/plan.ts', make: blind('planTake', 'planCrash') },
  },
  {
    name: 'a run whose end was committed counts as crashed',
    module: 'core/src/failover/plan.ts',
    make: (original) => {
      const right = original['isCrashed'] as Callable
      const isCrashed: Callable = (view, shardState) =>
        right(view, { ...(shardState as object), state: 'running' })
      return { ...original, isCrashed, isTakeable: isCrashed }
    },
  },
  {
    name: 'a run of an instance that lives counts as crashed',
    module: 'core/src/failover/plan.ts',
    make: (original) => ({
      ...original,
      isCrashed: (_: unknown, shardState: { state: string }) => shardState.state === 'running',
    }),
  },
  {
    name: 'a run that is taken over is not counted as a further attempt',
    module: 'core/src/failover/plan.ts',
    make: answering('planTake', (plan: Plan) => {
      const attempt = Number(plan.shardState['attempt']) - 1
      const shardState = { ...plan.shardState, attempt }
      const operations = plan.operations.map((part) =>
        part.type === 'set' ? { ...part, data: Buffer.from(JSON.stringify(shardState)) } : part,
      )
      return { shardState, operations }
    }),
  },
  {
    name: 'nobody takes over what has crashed',
    module: 'core/src/failover/plan.ts',
    make: replacing('takeoverShards', () => ({ shards: [], until: undefined })),
  },
  {
    name: 'the mark of a run is not cleared at its end',
    module: 'core/src/execution/plan.ts',
    make: without('planEnd', ({ type, path }) => type === 'delete' && path.endsWith('/running')),
  },
  {
    name: 'the end of a run is not written into the shard state',
    module: 'core/src/execution/plan.ts',
    make: answering('planEnd', (plan: Plan) => ({
      ...plan,
      operations: plan.operations.map((part) =>
        part.type === 'set'
          ? { ...part, data: Buffer.from(JSON.stringify({ ...plan.shardState, state: 'running' })) }
          : part,
      ),
    })),
  },
  {
    name: 'a time that was run is due again',
    module: 'core/src/fire-times/due.ts',
    make: (original) => {
      const right = original['dueOf'] as Callable
      return {
        ...original,
        dueOf: (shardState: object, ...rest: unknown[]) =>
          right({ ...shardState, fireTime: 0, end: 0 }, ...rest),
      }
    },
  },
  {
    name: 'what runs is not aborted when the lease ends',
    module: 'core/src/execution/service.ts',
    make: method('ExecutionService', 'abortAll', () => undefined),
  },
  {
    name: "the lease does not allow for the servers' tick and the time to abort",
    module: 'zookeeper/src/session/lease.ts',
    make: (original) => {
      const Right = original['Lease'] as Constructor
      class Wrong extends Right {
        constructor(clock: unknown, time: unknown, _: unknown, session: unknown) {
          super(clock, time, { serverTickTime: 0, abortTime: 0 }, session)
        }
      }
      return { ...original, Lease: Wrong }
    },
  },
  {
    name: 'a write proves the session before it is answered',
    module: 'zookeeper/src/session/lease.ts',
    make: (original) => {
      const Right = original['Lease'] as Constructor
      class Wrong extends Right {
        constructor(...values: readonly unknown[]) {
          const [clock, time, options, session] = values as [
            unknown,
            { now(): number },
            unknown,
            { renew(path: string): void },
          ]
          const renew = (path: string): void => {
            session.renew(path)
            ;(this as unknown as { prove(stamp: number): void }).prove(time.now())
          }
          super(clock, time, options, { ...session, renew })
        }
      }
      return { ...original, Lease: Wrong }
    },
  },
  {
    name: 'nothing keeps the lease alive while something runs',
    module: 'core/src/registry/registry-session.ts',
    make: method('RegistrySession', 'holdLease', () => ({ release: () => undefined })),
  },
  {
    name: 'an instance keeps its id when its session is lost',
    module: 'core/src/registry/registry-session.ts',
    make: (original) => {
      const session = original['RegistrySession'] as { open: Callable }
      const { open } = session
      session.open = (client, nodes, newInstance, time) => {
        const id = (newInstance as () => string)()
        return open(client, nodes, () => id, time)
      }
      return original
    },
  },
  {
    name: 'an instance that is leaving counts as dead',
    module: 'core/src/job-tree/job-view.ts',
    make: replacing('isDead', (view, instance) => {
      const { instances } = view as { instances: ReadonlySet<unknown> }
      return !instances.has(instance)
    }),
  },
  {
    name: 'what was known before a reconnect is believed after it',
    module: 'core/src/job-tree/replica-hub.ts',
    make: (original) =>
      method(
        'ReplicaHub',
        'suspend',
        () => undefined,
      )(method('ReplicaHub', 'resume', () => undefined)(original)),
  },
  {
    name: 'the lease counts from whatever a server answers, pings as well',
    module: 'zookeeper/src/session/session.ts',
    make: (original) => {
      const Right = original['Session'] as Constructor
      class Wrong extends Right {
        constructor(...values: readonly unknown[]) {
          const [options, ...rest] = values as [ClientParts, ...unknown[]]
          const { transport, clock } = options
          const connect: Transport['connect'] = (endpoint, handler) =>
            transport.connect(endpoint, {
              ...handler,
              received: (chunk) => {
                handler.received(chunk)
                ;(this as unknown as { lease: Proof }).lease.prove(clock.monotonic())
              },
            })
          const resolve: Transport['resolve'] = (host) => transport.resolve(host)
          super({ ...options, transport: { resolve, connect } }, ...rest)
        }
      }
      return { ...original, Session: Wrong }
    },
  },
  {
    name: 'a claim does not check that its instance takes part',
    needs: ({ events }) => events.some(({ kind }) => kind === 'delete-instance'),
    module: 'core/src/execution/plan.ts',
    make: without(
      'planClaim',
      ({ type, path }) => type === 'check' && path.includes('/instances/'),
    ),
  },
  {
    name: 'times that nobody could run are gone without a state',
    module: 'core/src/fire-times/account.ts',
    make: (original) => ({ ...original, passedByClaim: () => [], passedForGood: () => [] }),
  },
  {
    name: 'with monitorExecution off nothing runs',
    needs: ({ jobs }) => jobs.some(({ monitorExecution }) => !monitorExecution),
    module: 'core/src/execution/executor.ts',
    make: (original) => {
      const { prototype } = original['Executor'] as { prototype: { begin: Callable } }
      const { begin } = prototype
      prototype.begin = function (this: unknown, runs, code) {
        const written = (runs as readonly { isWritten: boolean }[]).filter((run) => run.isWritten)
        return written.length === 0 ? undefined : begin.call(this, written, code)
      }
      return original
    },
  },
  {
    name: "Java's flag is ignored",
    needs: hasJava,
    module: 'core/src/execution/plan.ts',
    make: (original) =>
      answering('obstacleTo', (obstacle) => (obstacle === 'flagged' ? undefined : obstacle))(
        replacing('stillHolds', () => true)(original),
      ),
  },
  {
    name: 'a job that is shared with Java is taken for one that is not',
    needs: hasJava,
    module: 'core/src/job-tree/job-view.ts',
    make: replacing('isMixed', () => false),
  },
  {
    name: 'nobody notes what Java has run when a shard leaves it',
    needs: hasJava,
    module: 'core/src/sharding/stamp.ts',
    make: replacing('planStamp', () => []),
  },
  {
    name: 'a takeover does not read the saved offset',
    needs: ({ jobs, events }) =>
      jobs.some(({ failover, saving }) => failover && saving > 0) && has(events, 'crash'),
    module: 'core/src/execution/offsets.ts',
    make: replacing('readOffsets', () => Promise.resolve()),
  },
  {
    name: 'a paused server takes over what has crashed',
    needs: ({ jobs }) => jobs.some(({ failover }) => failover),
    module: 'core/src/failover/plan.ts',
    make: (original) => {
      const unpaused =
        (right: Callable): Callable =>
        (view, ...rest) =>
          right(withoutPause(view as object), ...rest)
      return {
        ...original,
        takeoverShards: unpaused(original['takeoverShards'] as Callable),
        takeoverCandidates: unpaused(original['takeoverCandidates'] as Callable),
      }
    },
  },
  {
    name: 'fire times that passed while a shard ran are not reported',
    module: 'core/src/fire-times/account.ts',
    make: silentAbout(/^it passed while the shard ran/),
  },
  {
    name: "fire times from before an operator's change are not reported",
    module: 'core/src/fire-times/account.ts',
    make: silentAbout(/before anybody ran it$/),
  },
  {
    name: 'a job that a wiped registry has lost counts as removed',
    needs: ({ events }) => has(events, 'wipe'),
    module: 'core/src/registry/registry-session.ts',
    make: (original) => {
      const { prototype } = original['RegistrySession'] as Constructor
      Object.defineProperty(prototype, 'history', { value: '' })
      return original
    },
  },
  {
    name: 'a registry that was restored from a backup is taken for the one before',
    needs: ({ events }) => has(events, 'restore'),
    module: 'core/src/registry/own-nodes.ts',
    make: method('OwnNodes', 'hasLostWrites', () => Promise.resolve(false)),
  },
  {
    name: 'a run may take longer than its job allows',
    needs: ({ jobs }) => jobs.some(({ timeout, work }) => timeout > 0 && timeout < work[1]),
    module: 'core/src/config/run-limits.ts',
    make: answering('runLimitsOf', (limits: object) => ({ ...limits, timeout: 0 })),
  },
  {
    name: 'an instance calls a once-per-run listener that another is calling',
    needs: ({ jobs, instances }) => instances > 1 && jobs.some(({ hasListener }) => hasListener),
    module: 'core/src/barrier/plan.ts',
    make: answering('decide', (decision: { do: string; missing?: readonly number[] }) =>
      decision.do === 'wait' && decision.missing?.length === 0
        ? { do: 'call', shardState: undefined }
        : decision,
    ),
  },
]
