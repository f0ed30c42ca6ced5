/** Carries a scenario out, and writes down what really happened. */
import { ElasticJob, type Job } from '@elasticjob/core'
import { isZooKeeperError, SeededRandom, ZooKeeper } from '@elasticjob/zookeeper'
import { MemoryNetwork, SimulatedClock } from '@elasticjob/zookeeper-server/testing'

import { bodyOf } from './body.ts'
import { eventNames } from './event-names.ts'
import type { BodyRun, Done, Expected, History, JavaRun, Told } from './history.ts'
import { configTextOf, javaBodyOf } from './java-body.ts'
import { JavaInstance } from './java/java-instance.ts'
import { Process } from './process.ts'
import { type Registry, startRegistry, type Transaction } from './registry.ts'
import { RegistryClock } from './registry-clock.ts'
import { cronOf, type JobPlan, namespace, type Scenario, sessionTimeout } from './scenario.ts'
import { SessionLog, type Span } from './session-log.ts'
import { TreeLog } from './tree-log.ts'
import { resume } from './wishes.ts'

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
  readonly skew: number
  readonly isJava: boolean
  member: Member | undefined
}

/** How long a process manager waits before it starts a process again that could not start. */
const restartDelay = 1000
const secondLook = 20_000
const operatorIp = '10.0.9.9'

export class World {
  readonly scenario: Scenario
  readonly clock = new SimulatedClock()
  /** The servers' own, which can be set. */
  readonly registryClock: RegistryClock
  readonly network: MemoryNetwork
  readonly random: SeededRandom
  readonly log: TreeLog
  readonly slots: Slot[]
  readonly runs: BodyRun[] = []
  readonly javaRuns: JavaRun[] = []
  readonly hanging: string[] = []
  /** Where an operator has shut an instance down: the address and the job. */
  readonly shutDown: Set<string> = new Set()
  /** Runs that an operator wanted to end. */
  readonly stopped: Set<string> = new Set()
  readonly told: Told[] = []
  readonly done: Done[] = []
  readonly problems: string[] = []
  /** Added to the way from the first to the second, in milliseconds. */
  readonly delays = new Map<string, number>()
  /** Troubles are over: from now on code is quick and does as it is told. */
  isCalm = false
  #registry: Registry | undefined
  #operator: ZooKeeper | undefined
  readonly #forced = new Set<bigint>()
  readonly #leases = new Map<bigint, Span[]>()
  readonly #members: Member[] = []
  readonly #epoch: number
  /** When each transaction came about: their own times are by a clock that may be set. */
  readonly #committedAt: number[] = []

  constructor(scenario: Scenario) {
    this.scenario = scenario
    this.#epoch = this.clock.now()
    this.registryClock = new RegistryClock(this.clock)
    this.random = new SeededRandom(scenario.seed ^ 0x5eed)
    const jitter = new SeededRandom(scenario.seed ^ 0x1a7e)
    this.network = new MemoryNetwork({
      clock: this.clock,
      latency: (from, to) => 1 + jitter.below(4) + this.#delayOf(from, to),
    })
    this.log = new TreeLog(namespace, () => this.clock.monotonic())
    this.slots = scenario.skews.map((skew, index) => {
      const isJava = index >= scenario.instances
      // The last two share a machine, if there are enough.
      const place = index > 2 && index === scenario.instances - 1 ? index - 1 : index
      return { ip: isJava ? `10.0.3.${index}` : `10.0.1.${place}`, skew, isJava, member: undefined }
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

  async run(carryOut: (world: World, event: Scenario['events'][number]) => void): Promise<History> {
    const { clock, network, random, scenario } = this
    const parts = { network, clock: this.registryClock, random }
    const onCommit = (transaction: Transaction): void => {
      const { length } = this.log.transactions
      this.log.take(transaction)
      if (this.log.transactions.length > length) this.#committedAt.push(this.now)
    }
    this.#registry = await startRegistry(scenario.servers, { ...parts, onCommit })
    const connecting = ZooKeeper.connect({
      servers: this.registry.connectString,
      transport: network.transport(operatorIp),
      clock,
      random,
    })
    this.#operator = await clock.until(connecting)
    for (const slot of this.slots) this.after(random.below(500), () => this.start(slot))
    for (const event of scenario.events) this.after(event.at, () => carryOut(this, event))
    await clock.advance(scenario.calmFrom - clock.monotonic())
    this.#calmDown()
    await clock.advance(scenario.end - clock.monotonic())
    const history = this.#history()
    await this.#stopAll()
    return history
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
    const sessions = new SessionLog(this.clock, this.#leases, this.#forced)
    const transport = this.network.transport(slot.ip)
    const process = new Process(name, slot.ip, this.clock, transport, sessions, slot.skew)
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

  /** A session is ended by force: its lease is void from now on, whatever was promised. */
  expire(member: Member): void {
    const id = member.sessions.current
    if (id === undefined || !this.registry.sessionIds.includes(id)) return
    this.#forced.add(id)
    const spans = this.#leases.get(id) ?? []
    const { now } = this
    for (const span of spans) span[1] = Math.min(span[1], now)
    this.#leases.set(
      id,
      spans.filter(([begin, end]) => begin < end),
    )
    this.registry.expire(id)
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
      sessionTimeoutMilliseconds: sessionTimeout,
      environment: { clock, transport, random: this.random },
    })
    member.elasticJob = elasticJob
    this.#listen(elasticJob, process.name)
    await Promise.all(
      this.scenario.jobs.map(async (plan) => {
        const { jobName, period, total, failover, misfire, staticSharding, strategy } = plan
        const { monitorExecution } = plan
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
        sessionTimeout,
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
    const fresh: Slot = { ip: '10.0.1.99', skew: 0, isJava: false, member: undefined }
    this.slots.push(fresh)
    for (const slot of this.slots) this.start(slot)
  }

  #enableAll(): void {
    for (const [path, data] of this.log.tree) {
      if (path.endsWith('/disabled')) this.operate((operator) => operator.delete(path))
      else if (data === 'DISABLED' && /\/servers\/[^/]+$/.test(path)) {
        this.operate((operator) => operator.set(path, 'ENABLED'))
      }
    }
    for (const { jobName } of this.scenario.jobs) resume(this, jobName)
  }

  /** As it is now: what comes after the end is not part of it. */
  #history(): History {
    const { log } = this
    const members = this.#members.map(({ process }) => process)
    return {
      seed: this.scenario.seed,
      epoch: this.#epoch,
      end: this.now,
      registryAhead: this.registryClock.ahead,
      runs: this.runs.map((run) => ({ ...run })),
      javaRuns: this.javaRuns.map((run) => ({ ...run })),
      words: [...log.words],
      leases: this.#leases,
      sessionOf: log.sessionOf,
      reused: log.reused,
      left: new Map(log.left),
      closed: new Map(log.closed),
      forced: this.#forced,
      freezes: new Map(members.map(({ name, freezes }) => [name, freezes])),
      expected: this.scenario.jobs.map((plan) => this.#expected(plan)),
      tree: new Map(log.tree),
      stopped: new Set(this.stopped),
      hanging: [...this.hanging, ...this.#missing()],
      problems: this.problems,
      told: [...this.told],
      done: [...this.done],
      transactions: [...log.transactions],
      committedAt: [...this.#committedAt],
    }
  }

  /** Who lives and takes no part in a job any more, although nobody has told it to stop. */
  #missing(): string[] {
    return this.#members.flatMap(({ process, elasticJob }) => {
      if (!process.isAlive || elasticJob === undefined) return []
      const { jobNames } = elasticJob
      return this.scenario.jobs
        .map(({ jobName }) => jobName)
        .filter((jobName) => !jobNames.includes(jobName))
        .filter((jobName) => !this.shutDown.has(`${process.ip} ${jobName}`))
        .map((jobName) => `${process.name} takes no part in ${jobName} any more`)
    })
  }

  /** Fires that lie well behind the troubles, and whose runs have had time to end. */
  #expected({ jobName, isMixed, monitorExecution }: JobPlan): Expected {
    const { period: step, total, failover } = this.configured(jobName)
    const end = this.registryClock.now()
    const last = Math.floor((end - 2000 - 1) / step) * step
    const first = end - 3 * 30_000
    const fires: number[] = []
    for (let time = last; time > first; time -= step) fires.unshift(time)
    return { jobName, total, failover, isMixed, monitorExecution, fires }
  }

  /** Whoever is asked to stop does. */
  async #stopAll(): Promise<void> {
    const living = this.#members.filter(({ process }) => process.isAlive)
    await this.clock
      .until(
        Promise.all(living.map(async ({ elasticJob, java }) => (elasticJob ?? java)?.stop())),
        120_000,
      )
      .catch((error: unknown) => {
        this.hanging.push(`stop(): ${String(error)}`)
      })
    for (const { process } of living) process.die(false)
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
