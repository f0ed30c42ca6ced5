import type { JobOptions } from '../../src/index.ts'
import type { Operations } from '../../src/operations.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { enlist, type FleetBody, type FleetMember, work } from './fleet.ts'
import { operatorAt } from './operator.ts'

/** The servers of the fleet that operators work on. */
export const [first, second] = ['10.0.1.1', '10.0.1.2'] as const
export const minute = 60_000

export const jobOf = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '0 * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

export const quick: FleetBody = () => Promise.resolve()
/** Ends early when it is told to. */
export const attentive: FleetBody = ({ signal }, here) => work(here, 20_000, signal)
/** Ends when it is done, whatever it is told. */
export const deaf: FleetBody = (_, here) => work(here, 20_000)

/** A cluster, and an operator who writes down what he has done. */
export class OperatedFleet {
  readonly cluster: SimulatedCluster
  readonly operations: Operations
  readonly lines: readonly string[]

  private constructor(cluster: SimulatedCluster, operations: Operations, lines: readonly string[]) {
    this.cluster = cluster
    this.operations = operations
    this.lines = lines
  }

  static async start(): Promise<OperatedFleet> {
    const cluster = await SimulatedCluster.start()
    const lines: string[] = []
    const note = (message: string): void => void lines.push(message)
    const logger = { debug: note, info: note, warn: note, error: note }
    return new OperatedFleet(cluster, await operatorAt(cluster, { logger }), lines)
  }

  /** Two instances that share the shards, half a minute before a fire. */
  async enlist(body = quick, options = jobOf()): Promise<[FleetMember, FleetMember]> {
    const { cluster } = this
    const members: [FleetMember, FleetMember] = [
      await enlist(cluster, first, options, body),
      await enlist(cluster, second, options, body),
    ]
    await cluster.advance(8000)
    await cluster.toPhase(30_000, minute)
    cluster.runs.length = 0
    return members
  }

  done<T>(promise: Promise<T>): Promise<T> {
    return this.cluster.until(promise)
  }

  /** The servers that have run something since. */
  get hosts(): string[] {
    return [...new Set(this.cluster.runs.map(({ ip }) => ip))].toSorted()
  }

  async stop(): Promise<void> {
    await this.done(this.operations.close())
    await this.cluster.stop()
  }
}
