/** Carries a scenario out, and writes down what really happened. */
import { ElasticJob, isElasticJobError, isRegistryError, type Job } from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'
import { isZooKeeperError, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { MemoryNetwork, SimulatedClock } from '@elasticjob/zookeeper-server/testing'

import { bodyOf } from './body.ts'
import { listenerType, onceListener } from './once-listener.ts'
import { eventNames } from './event-names.ts'
import type {
  BodyRun,
  ClockJump,
  Done,
  Expected,
  History,
  JavaRun,
  ListenerCall,
  Loss,
  Told,
} from './history.ts'
import { configTextOf, javaBodyOf } from './java-body.ts'
import { javaClass, JavaInstance } from './java/java-instance.ts'
import { exactClock, type MachineClock, Process } from './process.ts'
import { type Registry, startRegistry, type Transaction } from './registry.ts'
import { RegistryClock } from './registry-clock.ts'
import {
  calmTimes,
  cronOf,
  endsOf,
  type Event,
  type JobPlan,
  namespace,
  type Scenario,
} from './scenario.ts'
import { SessionLog, type Span } from './session-log.ts'
import { Situations } from './situation.ts'
import { TreeLog } from './tree-log.ts'
import { WaitingEvents } from './waiting-events.ts'

/** So long packets may still be on slow links, and shards on their way to other owners, in milliseconds. */
const settlingTime = 10_000

/** A configuration that nobody can read. */
export const corruptText = 'jobName: ['

/** A process with what runs in it. */
export interface Member {
  readonly process: Process
  readonly sessions: SessionLog
  readonly jobs: Map<string, Job>
  elasticJob: ElasticJob | undefined
  java: JavaInstance | undefined
}

/** A place for a process: a machine of its own, or one that it shares. */
export interface Slot {
  readonly ip: string
  readonly clock: MachineClock
  readonly isJava: boolean
  member: Member | undefined
}

/** How long a process manager waits before it starts a process again that could not start. */
const restartDelay = 1000
const secondLook = 20_000
export const operatorIp = '10.0.9.9'

export class World {
  readonly scenario: Scenario
  readonly clock = new SimulatedClock()
  /** The servers' own, which can be set. */
  readonly registryClock: RegistryClock
  /** When the registry's clock was set. */
  readonly clockJumps: ClockJump[] = []
  /** What configurations said before they were made unreadable, by path. */
  readonly corrupted: Map<string, Uint8Array> = new Map()
  readonly network: MemoryNetwork
  readonly random: SeededRandom
  readonly log: TreeLog
  readonly situations: Situations
  readonly slots: Slot[]
  readonly runs: BodyRun[] = []
  readonly javaRuns: JavaRun[] = []
  readonly listenerCalls: ListenerCall[] = []
  /** Where an operator has shut an instance down: the address and the job. */
  readonly shutDown: Set<string> = new Set()
  readonly told: Told[] = []
  readonly done: Done[] = []
  readonly problems: string[] = []
  /** Which faults have met which situations. */
  readonly coverage: Record<string, number> = {}
  /** Added to the way from the first to the second, in milliseconds. */
  readonly delays = new Map<string, number>()
  /** Troubles are over: from now on code is quick and does as it is told. */
  isCalm = false
  #registry: Registry | undefined
  #operator: ZooKeeper | undefined
  #operations: Operations | undefined
  readonly #forced = new Map<bigint, number>()
  readonly #leases = new Map<bigint, Span[]>()
  readonly #sentAt = new Map<number, number>()
  readonly #losses: Loss[] = []
  readonly #members: Member[] = []
  readonly #assignment: number
  /** When each transaction came about: their own times are by a clock that may be set. */
  readonly #committedAt: number[] = []

  constructor(scenario: Scenario) {
    this.scenario = scenario
    this.#assignment = this.clock.now()
    this.registryClock = new RegistryClock(this.clock)
    this.random = new SeededRandom(scenario.seed ^ 0x5eed)
    const jitter = new SeededRandom(scenario.seed ^ 0x1a7e)
    this.network = new MemoryNetwork({
      clock: this.clock,
      latency: (from, to) => 1 + jitter.below(4) + this.#delayOf(from, to),
    })
    this.log = new TreeLog(namespace, () => this.clock.monotonic())
    this.situations = new Situations(this.log, () => this.now)
    this.slots = scenario.clocks.map((clock, index) => {
      const isJava = index >= scenario.instances
      // The last two share a machine, if there are enough.
      const place = index > 2 && index === scenario.instances - 1 ? index - 1 : index
      return {
        ip: isJava ? `10.0.3.${index}` : `10.0.1.${place}`,
        clock,
        isJava,
        member: undefined,
      }
    })
  }

  #delayOf(from: string, to: string): number {
    return this.delays.size === 0 ? 0 : (this.delays.get(`${from} ${to}`) ?? 0)
  }

  get registry(): Registry {
    if (this.#registry === undefined) throw new Error('the registry has not started')
    return this.#registry
  }

  get now(): number {
    return this.clock.monotonic()
  }

  /** `isDone`: whether a history that may end leaves nothing open. */
  async run(
    carryOut: (world: World, event: Event) => void,
    isDone: (history: History) => boolean,
  ): Promise<History> {
    const { clock, network, random, scenario } = this
    const parts = { network, clock: this.registryClock, random }
    const waiting = new WaitingEvents(clock, scenario.jobs, this.situations, (event) =>
      carryOut(this, event),
    )
    const onCommit = (transaction: Transaction): void => {
      const { length } = this.log.transactions
      this.log.take(transaction)
      if (this.log.transactions.length === length) return
      this.#committedAt.push(this.now)
      waiting.changed()
    }
    this.#registry = await startRegistry(scenario.servers, {
      ...parts,
      onCommit,
      tickTime: scenario.tickTime,
    })
    const connecting = ZooKeeper.connect({
      servers: this.registry.connectString,
      transport: network.transport(operatorIp),
      clock,
      random,
    })
    this.#operator = await clock.until(connecting)
    const operations = Operations.connect({
      servers: this.registry.connectString,
      namespace,
      environment: { clock, transport: network.transport(operatorIp), random },
    })
    this.#operations = await clock.until(operations)
    for (const slot of this.slots) this.after(random.below(500), () => this.start(slot))
    for (const event of scenario.events) this.after(event.at, () => waiting.add(event))
    await clock.advance(scenario.calmFrom - clock.monotonic())
    waiting.clear()
    this.#calmDown()
    const history = await this.#untilDone(isDone)
    const hanging = await this.#stopAll()
    return hanging === undefined ? history : { ...history, hanging: [...history.hanging, hanging] }
  }

  /** What takes longer than usual may take until the last of the ends. */
  async #untilDone(isDone: (history: History) => boolean): Promise<History> {
    for (const end of endsOf(this.scenario)) {
      await this.clock.advance(end - this.now)
      const history = this.#history()
      if (end === this.scenario.end || isDone(history)) return history
    }
    throw new Error('a scenario has an end')
  }

  /** A job as the registry has it now. */
  configured(jobName: string): { period: number; total: number; failover: boolean } {
    const text = this.log.tree.get(`/${namespace}/${jobName}/config`) ?? ''
    const valueOf = (key: string): string => new RegExp(`^${key}: (.*)$`, 'm').exec(text)?.[1] ?? ''
    return {
      period: Number(/0\/(\d+)/.exec(valueOf('cron'))?.[1] ?? 1) * 1000,
      total: Number(valueOf('shardingTotalCount')),
      failover: valueOf('failover') === 'true',
    }
  }

  /** An operator does not give up before there is an answer. */
  operate(operation: (operator: ZooKeeper) => Promise<unknown>): void {
    operation(this.#connectedOperator()).catch((error: unknown) => {
      if (!isZooKeeperError(error)) throw error
      // Too early or too late: there is no such node, or it is there already.
      if (isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_NODE_EXISTS')) return
      this.after(restartDelay, () => this.operate(operation))
    })
  }

  /** The same by the operations of ours; what they refuse is an answer. */
  command(operation: (operations: Operations) => Promise<unknown>): void {
    if (this.#operations === undefined) throw new Error('the operator has not come yet')
    operation(this.#operations).catch((error: unknown) => {
      if (isElasticJobError(error)) return
      if (!isRegistryError(error)) throw error
      this.after(restartDelay, () => this.command(operation))
    })
  }

  #connectedOperator(): ZooKeeper {
    if (this.#operator === undefined) throw new Error('the operator has not come yet')
    return this.#operator
  }

  note(text: string): void {
    this.done.push({ at: this.now, text })
  }

  after(milliseconds: number, action: () => void): void {
    this.clock.setTimer(action, milliseconds)
  }

  /** A new process in this place, with all jobs. */
  start(slot: Slot): void {
    if (slot.member?.process.isAlive === true) return
    const name = `p${this.#members.length}`
    const sessions = new SessionLog(this.clock, {
      leases: this.#leases,
      ended: this.#forced,
      orderOf: (zxid) => this.log.orderOf(zxid),
      sentAt: this.#sentAt,
      tickTime: this.scenario.tickTime,
    })
    const transport = this.network.transport(slot.ip)
    const process = new Process(name, slot.ip, this.clock, transport, sessions, slot.clock)
    const member: Member = {
      process,
      sessions,
      jobs: new Map(),
      elasticJob: undefined,
      java: undefined,
    }
    slot.member = member
    this.#members.push(member)
    this.note(`${name} starts on ${slot.ip}${slot.isJava ? ', in Java' : ''}`)
    const started = slot.isJava ? this.#bringUpJava(member) : this.#bringUp(member)
    void started.catch((error: unknown) => {
      if (!process.isAlive) return
      this.note(`${name} could not start: ${String(error)}`)
      void member.elasticJob?.stop()
      process.die(false)
      this.after(restartDelay, () => this.start(slot))
    })
  }

  /** The process ends in good order, and is killed when it is done. */
  stop(slot: Slot, then: () => void): void {
    const { member } = slot
    const program = member?.elasticJob ?? member?.java
    if (program === undefined || member?.process.isAlive !== true) return
    void program.stop().then(() => {
      if (slot.member !== member) return
      this.kill(slot, false)
      then()
    })
  }

  kill(slot: Slot, silently: boolean): void {
    const { member } = slot
    if (member === undefined || !member.process.isAlive) return
    member.process.die(silently)
    const { name } = member.process
    for (const run of this.runs) {
      if (run.process !== name || run.end !== undefined) continue
      run.end = this.now
      run.result = 'died'
    }
    for (const run of this.javaRuns) if (run.process === name) run.end ??= this.now
  }

  /** The registry goes on with what it had so many milliseconds ago: no session can know it. */
  loseData(age: number): void {
    const sessionIds = [...this.registry.sessionIds]
    void this.registry.restore(age, (kept) => {
      const { now } = this
      const time = this.registryClock.now()
      this.#losses.push({ at: now, time, kind: age === Infinity ? 'wiped' : 'restored' })
      this.log.beginEra(kept, time)
      this.#committedAt.push(now)
      for (const id of sessionIds) if (!this.log.open.has(id)) this.#void(id)
    })
  }

  /** A session is ended by force: its lease is void from now on, whatever was promised. */
  expire(member: Member): void {
    const id = member.sessions.current
    if (id === undefined || !this.registry.sessionIds.includes(id)) return
    this.#void(id)
    this.registry.expire(id)
  }

  #void(id: bigint): void {
    if (!this.#forced.has(id)) this.#forced.set(id, this.now)
    const spans = this.#leases.get(id) ?? []
    const { now } = this
    for (const span of spans) span[1] = Math.min(span[1], now)
    this.#leases.set(
      id,
      spans.filter(([begin, end]) => begin < end),
    )
  }

  async #bringUp(member: Member): Promise<void> {
    const { process } = member
    const { clock, transport } = process
    const elasticJob = await ElasticJob.connect({
      servers: this.registry.connectString,
      namespace,
      ip: process.ip,
      logger: false,
      // The signals are the simulation's; one that is waited for by the dead would keep them all in memory.
      drainOnSignals: false,
      listeners: [onceListener(this, process)],
      sessionTimeoutMilliseconds: this.scenario.sessionTimeout,
      serverTickTime: this.scenario.tickTime,
      environment: { clock, transport, random: this.random },
    })
    member.elasticJob = elasticJob
    this.#listen(elasticJob, process.name)
    await Promise.all(
      this.scenario.jobs.map(async (plan) => {
        const { jobName, period, total, failover, misfire, staticSharding, strategy } = plan
        const { monitorExecution, timeout, catchUp, timeZone } = plan
        const body = bodyOf(this, member, plan)
        const options = {
          jobName,
          cron: cronOf(period),
          shardingTotalCount: total,
          failover,
          misfire,
          monitorExecution,
          staticSharding,
          jobShardingStrategyType: strategy,
          ...(timeZone === undefined ? {} : { timeZone }),
          ...(plan.hasListener ? { jobListenerTypes: [listenerType] } : {}),
          props: {
            'timeout.milliseconds': String(timeout),
            'catch.up': catchUp,
            'catch.up.limit': '3',
          },
          ...(plan.isMixed ? { jobClass: javaClass } : {}),
        }
        member.jobs.set(jobName, await elasticJob.schedule(options, body))
      }),
    )
  }

  /** Java takes part in the jobs that are shared with it: in one at most. */
  async #bringUpJava(member: Member): Promise<void> {
    const { process } = member
    const { clock, transport } = process
    const plan = this.scenario.jobs.find(({ isMixed }) => isMixed)
    if (plan === undefined) return
    const java = new JavaInstance({
      client: {
        servers: this.registry.connectString,
        sessionTimeout: this.scenario.sessionTimeout,
        clock,
        transport,
        random: this.random,
      },
      namespace,
      jobName: plan.jobName,
      ip: process.ip,
      pid: 1000 + this.#members.indexOf(member),
      configText: configTextOf(plan),
      body: javaBodyOf(this, member, plan),
    })
    member.java = java
    await java.start()
  }

  #listen(elasticJob: ElasticJob, process: string): void {
    for (const name of eventNames) {
      elasticJob.on(name, (payload: unknown) => {
        this.told.push(new LazilyTold(this.now, process, name, payload))
        if (name === 'error:unhandled') {
          const { error } = payload as { error: unknown }
          // What an operator has denied is told, and goes on once it is permitted again.
          if (isRegistryError(error, 'REGISTRY_NO_AUTH')) return
          const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
          this.problems.push(`${process} at ${this.now}: ${stack}`)
        }
      })
    }
  }

  /** Everything that an operator has switched is switched back, and a fresh process joins. */
  #calmDown(): void {
    this.note('the troubles are over')
    this.isCalm = true
    this.delays.clear()
    for (const { member, ip } of this.slots) {
      member?.process.slowDown(0)
      member?.process.wake()
      for (const host of this.registry.hosts) this.network.release(ip, host)
    }
    const { hosts } = this.registry
    for (const [index, host] of hosts.entries()) {
      this.registry.resume(host)
      this.registry.lag(host, 0)
      for (const other of hosts.slice(index + 1)) this.registry.heal(host, other)
    }
    this.#enableAll()
    // Once more: what an operator has asked for before may have been on its way.
    this.after(secondLook, () => this.#enableAll())
    const fresh: Slot = { ip: '10.0.1.99', clock: exactClock, isJava: false, member: undefined }
    this.slots.push(fresh)
    for (const slot of this.slots) this.start(slot)
  }

  #enableAll(): void {
    for (const [path, data] of this.log.tree) {
      const intact = data === corruptText ? this.corrupted.get(path) : undefined
      // A backup may have been made while it was corrupt.
      if (intact !== undefined) this.operate((operator) => operator.set(path, intact))
      else if (path.endsWith('/disabled')) this.operate((operator) => operator.delete(path))
      else if (data === 'DISABLED' && /\/servers\/[^/]+$/.test(path)) {
        this.operate((operator) => operator.set(path, 'ENABLED'))
      }
    }
    for (const { jobName } of this.scenario.jobs) {
      this.command((operations) => operations.resume({ job: jobName }))
    }
  }

  /** As it is now: what comes after the end is not part of it. */
  #history(): History {
    const { log } = this
    const members = this.#members.map(({ process }) => process)
    // The takeover of a manual run is one, too, and has no scheduled fire time.
    const manual = new Set<string>()
    for (const { shardState } of log.states)
      if (shardState.source === 'trigger') manual.add(shardState.run)
    return {
      seed: this.scenario.seed,
      assignment: this.#assignment,
      sessionTimeout: this.scenario.sessionTimeout,
      end: this.now,
      registryAhead: this.registryClock.ahead,
      clockJumps: [...this.clockJumps],
      runs: this.runs.map((run) =>
        manual.has(run.runId) ? { ...run, source: 'trigger' } : { ...run },
      ),
      javaRuns: this.javaRuns.map((run) => ({ ...run })),
      listenerCalls: [...this.listenerCalls],
      states: [...log.states],
      leases: this.#leases,
      sessionOf: log.sessionOf,
      reused: log.reused,
      left: new Map(log.left),
      closed: new Map(log.closed),
      era: log.era,
      losses: this.#losses,
      heard: new Map(this.#members.map(({ process, sessions }) => [process.name, sessions.heard])),
      sentAt: this.#sentAt,
      forced: this.#forced,
      freezes: new Map(members.map(({ name, freezes }) => [name, freezes])),
      expected: this.scenario.jobs.map((plan) => this.#expected(plan)),
      tree: new Map(log.tree),
      stopped: new Set(log.stopped),
      hanging: this.#missing(),
      problems: this.problems,
      coverage: this.coverage,
      told: [...this.told],
      done: [...this.done],
      transactions: [...log.transactions],
      committedAt: [...this.#committedAt],
      orders: [...log.orders],
    }
  }

  /** Processes that live and take no part in a job any more, although nobody has told them to stop. */
  #missing(): string[] {
    const present = new Set<string>()
    for (const path of this.log.tree.keys()) {
      const [, , jobName, folder, instance = ''] = path.split('/')
      if (folder === 'instances') present.add(`${jobName} ${this.log.sessionOf.get(instance)}`)
    }
    return this.#members.flatMap(({ process, sessions, elasticJob }) => {
      if (!process.isAlive || elasticJob === undefined) return []
      return this.scenario.jobs
        .map(({ jobName }) => jobName)
        .filter((jobName) => !present.has(`${jobName} ${sessions.current}`))
        .filter((jobName) => !this.shutDown.has(`${process.ip} ${jobName}`))
        .map((jobName) => `${process.name} takes no part in ${jobName} any more`)
    })
  }

  /** Fires that lie well behind the troubles, and whose runs have had time to end. */
  #expected({ jobName, isMixed, monitorExecution, hasListener }: JobPlan): Expected {
    const { period: step, total, failover } = this.configured(jobName)
    const end = this.registryClock.now()
    const last = Math.floor((end - 2000 - 1) / step) * step
    const { calmFrom, sessionTimeout } = this.scenario
    // Without a shard state nothing is caught up: an instance that crashed before has to be found dead first.
    const unseen = monitorExecution ? 0 : sessionTimeout
    const settled = end - this.now + calmFrom + unseen + settlingTime
    const first = Math.max(end - calmTimes * step, settled)
    const fires: number[] = []
    for (let time = last; time > first; time -= step) fires.unshift(time)
    return { jobName, total, failover, isMixed, monitorExecution, hasListener, fires }
  }

  /** Whoever is asked to stop does; else how it failed. */
  async #stopAll(): Promise<string | undefined> {
    const living = this.#members.filter(({ process }) => process.isAlive)
    const stopped = living.map(async ({ elasticJob, java }) => (elasticJob ?? java)?.stop())
    const failure = await this.clock.until(Promise.all(stopped), 120_000).then(
      () => undefined,
      (error: unknown) => `stop(): ${String(error)}`,
    )
    for (const { process } of living) process.die(false)
    return failure
  }
}

/** Hardly anything that is told is ever read. */
class LazilyTold implements Told {
  readonly at: number
  readonly process: string
  readonly name: string
  readonly #payload: unknown

  constructor(at: number, process: string, name: string, payload: unknown) {
    this.at = at
    this.process = process
    this.name = name
    this.#payload = payload
  }

  get text(): string {
    return textOf(this.#payload)
  }

  toJSON(): Told {
    const { at, process, name, text } = this
    return { at, process, name, text }
  }
}

function textOf(payload: unknown): string {
  return JSON.stringify(payload, (_, value: unknown) =>
    typeof value === 'bigint'
      ? String(value)
      : value instanceof Error
        ? value.message.slice(0, 200)
        : value,
  )
}
