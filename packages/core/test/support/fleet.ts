import type { ElasticJobOptions, Job, JobOptions, ShardingContext } from '../../src/index.ts'
import type { SimulatedCluster, SimulatedInstance } from '../simulated-cluster.ts'

export interface FleetMember extends SimulatedInstance {
  readonly job: Job
}

/** What a job's code does: `here` is where it runs. */
export type FleetBody = (context: ShardingContext, here: SimulatedInstance) => Promise<void>

/** Joins as a process of its own, with code that knows where it runs. */
export async function enlist(
  cluster: SimulatedCluster,
  ip: string,
  options: JobOptions,
  body: FleetBody,
  connection: Partial<ElasticJobOptions> = {},
): Promise<FleetMember> {
  const instance = await cluster.join(ip, connection)
  const code = (context: ShardingContext): Promise<void> => body(context, instance)
  const job = await cluster.until(instance.jobs.schedule(options, code))
  return { ...instance, job }
}

/** Work that takes its time on the machine it runs on; ends early, with an error, when it is told to. */
export function work(
  { machine }: SimulatedInstance,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      timer.cancel()
      reject(signal?.reason as Error)
    }
    const timer = machine.clock.setTimer(() => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', aborted)
  })
}
