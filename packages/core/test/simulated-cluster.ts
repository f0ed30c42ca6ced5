/**
 * A whole cluster in one process: a server, instances and operators on a simulated clock and network.
 * Nothing takes real time, and everything happens in the same order whenever it is run.
 */
import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import {
  type Backup,
  backupOf,
  type Faults,
  faultsOf,
  MemoryNetwork,
  MemoryServer,
  restoredFrom,
  type RestoreOptions,
  SimulatedClock,
} from '@elasticjob/zookeeper-server/testing'

import { writeJob } from '../src/config/job-yaml.ts'
import { readJob } from '../src/config/read-job.ts'
import {
  ElasticJob,
  type ElasticJobEvents,
  type ElasticJobOptions,
  type JobConfiguration,
  type RunReference,
} from '../src/index.ts'
import { JobPaths, StatePaths } from '../src/job-tree/paths.ts'
import { Machine } from './support/machine.ts'
import { WireTap } from './support/wire-tap.ts'

const serverHost = '10.0.0.1'

export interface SimulatedClusterOptions {
  /**
   * Where chance begins.
   * @default 1
   */
  readonly seed?: number
  /**
   * How long everything takes on its way, in milliseconds.
   * @default 1
   */
  readonly latency?: number
}

/** A run as the instances tell of it. */
export interface SeenRun extends RunReference {
  readonly ip: string
  /** When its code began, by the simulated clock. */
  readonly at: number
}

/** Something that an instance has told. */
export interface SeenEvent {
  readonly ip: string
  readonly name: keyof ElasticJobEvents
  readonly payload: unknown
}

/** One process of the cluster. */
export interface SimulatedInstance {
  readonly ip: string
  readonly jobs: ElasticJob
  /** What it sends to the server, and what it hears. */
  readonly wire: WireTap
  readonly machine: Machine
}

export class SimulatedCluster {
  readonly clock: SimulatedClock
  readonly network: MemoryNetwork
  readonly namespace = 'shop'
  /** Every run that has begun, in the order of their beginning. */
  readonly runs: SeenRun[] = []
  readonly events: SeenEvent[] = []
  readonly #random: SeededRandom
  readonly #instances: SimulatedInstance[] = []
  readonly #clients: ZooKeeper[] = []
  readonly #listeners = new Set<(event: SeenEvent) => void>()
  #operator: ZooKeeper | undefined
  #server: MemoryServer

  private constructor(
    clock: SimulatedClock,
    network: MemoryNetwork,
    server: MemoryServer,
    random: SeededRandom,
  ) {
    this.clock = clock
    this.network = network
    this.#server = server
    this.#random = random
  }

  static async start({
    seed = 1,
    latency = 1,
  }: SimulatedClusterOptions = {}): Promise<SimulatedCluster> {
    const clock = new SimulatedClock()
    const random = new SeededRandom(seed)
    const network = new MemoryNetwork({ clock, latency: () => latency })
    const server = await MemoryServer.start({ network, clock, random, host: serverHost })
    return new SimulatedCluster(clock, network, server, random)
  }

  get server(): MemoryServer {
    return this.#server
  }

  get faults(): Faults {
    return faultsOf(this.#server)
  }

  /** A copy of everything that the registry holds now. */
  backUp(): Backup {
    return backupOf(this.#server)
  }

  /** Stops the registry, and starts it again with the data of a backup, or with none. */
  async replaceData(backup?: Backup, options?: RestoreOptions): Promise<void> {
    await this.until(this.#server.stop())
    this.#server = await MemoryServer.start({
      network: this.network,
      clock: this.clock,
      random: this.#random,
      host: serverHost,
      ...(backup === undefined ? {} : { durability: restoredFrom(backup, options) }),
    })
  }

  /** The instances that have joined, in that order. */
  get instances(): readonly SimulatedInstance[] {
    return this.#instances
  }

  /** A process on a machine of its own, which takes part in nothing yet. */
  async join(ip: string, options: Partial<ElasticJobOptions> = {}): Promise<SimulatedInstance> {
    const machine = new Machine(this.clock, this.network.transport(ip))
    const wire = new WireTap(machine.transport)
    const jobs = await this.until(
      ElasticJob.connect({
        servers: this.server.connectString,
        namespace: this.namespace,
        ip,
        logger: false,
        drainOnSignals: false,
        environment: { clock: machine.clock, random: this.#random, transport: wire.transport },
        ...options,
      }),
    )
    const instance = { ip, jobs, wire, machine }
    this.#instances.push(instance)
    // Whatever it tells, under names that are yet to come, too.
    const emit = jobs.emit.bind(jobs)
    jobs.emit = (name, ...payload) => {
      this.#seen({ ip, name: name as SeenEvent['name'], payload: payload[0] })
      return emit(name, ...payload)
    }
    return instance
  }

  /** Somebody else at the registry: an operator, or another program. */
  async client(
    machine = '10.0.9.9',
    transport = this.network.transport(machine),
  ): Promise<ZooKeeper> {
    const client = await this.until(
      ZooKeeper.connect({
        servers: this.server.connectString,
        transport,
        clock: this.clock,
        random: this.#random,
      }),
    )
    this.#clients.push(client)
    return client
  }

  pathsOf(jobName: string): JobPaths {
    return new JobPaths(this.namespace, new StatePaths(this.namespace), jobName)
  }

  advance(milliseconds: number): Promise<void> {
    return this.clock.advance(milliseconds)
  }

  until<T>(promise: Promise<T>, limit?: number): Promise<T> {
    return this.clock.until(promise, limit)
  }

  /** Lets time pass until so many milliseconds past a multiple of the period. */
  async toPhase(offset: number, period = 1000): Promise<void> {
    const past = this.clock.now() % period
    await this.advance((offset - past + period) % period || period)
  }

  /** An operator changes a job's configuration. */
  async configure(jobName: string, changes: Partial<JobConfiguration>): Promise<void> {
    this.#operator ??= await this.client()
    const { config } = this.pathsOf(jobName)
    const { data } = await this.until(this.#operator.get(config))
    const { configuration } = readJob(toText(data), config)
    await this.until(this.#operator.set(config, writeJob({ ...configuration, ...changes })))
  }

  /** Lets time pass until somebody tells of this. */
  async untilEvent<Name extends keyof ElasticJobEvents>(
    name: Name,
    isMeant: (payload: ElasticJobEvents[Name][0], ip: string) => boolean = () => true,
  ): Promise<ElasticJobEvents[Name][0]> {
    return this.until(
      new Promise((resolve) => {
        const listener = (event: SeenEvent): void => {
          const payload = event.payload as ElasticJobEvents[Name][0]
          if (event.name !== name || !isMeant(payload, event.ip)) return
          this.#listeners.delete(listener)
          resolve(payload)
        }
        this.#listeners.add(listener)
      }),
    )
  }

  /** What has been told under a name so far. */
  told<Name extends keyof ElasticJobEvents>(name: Name): ElasticJobEvents[Name][0][] {
    return this.events
      .filter((event) => event.name === name)
      .map(({ payload }) => payload as ElasticJobEvents[Name][0])
  }

  /** Ends everything that was started here; throws if an instance had a problem that nobody waits for. */
  async stop(): Promise<void> {
    const living = this.#instances.filter(({ machine }) => !machine.isDead)
    await this.until(Promise.all(living.map(({ jobs }) => jobs.stop())))
    await this.until(Promise.all(this.#clients.map((client) => client.close())))
    await this.until(this.server.stop())
    const problems = this.told('error:unhandled').map(({ error }) => error)
    if (problems.length > 0) throw new AggregateError(problems, String(problems[0]))
  }

  #seen(event: SeenEvent): void {
    this.events.push(event)
    if (event.name === 'run:started') {
      this.runs.push({ ...(event.payload as RunReference), ip: event.ip, at: this.clock.now() })
    }
    for (const listener of this.#listeners) listener(event)
  }
}
