/** Waits for instances to leave a job. They finish their runs first. */
import { type Duration, millisecondsOf } from '../config/duration.ts'
import { ElasticJobError } from '../errors.ts'
import { message } from '../message.ts'
import { readOne } from './catalog.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { runnerOf } from './runner.ts'
import type { JobSnapshot } from './snapshot.ts'

/** How long an operation waits for instances to leave. */
export interface DepartureOptions {
  /**
   * How long to wait for the instances to leave.
   * @default 0 for a shutdown, which only requests the departure; '1m' for a removal, which requires it
   */
  readonly wait?: Duration | undefined
  /**
   * Called at the start, and whenever an instance has left.
   * @default no callback
   */
  readonly onProgress?: ((progress: DepartureProgress) => void) | undefined
  /**
   * Ends the wait. The request to leave stays in effect.
   * @default never
   */
  readonly signal?: AbortSignal | undefined
}

/** The instances that an operation waits for. */
export interface DepartureProgress {
  readonly jobName: string
  /** The instances that are still present. */
  readonly waitingFor: readonly string[]
}

/**
 * The polling interval in milliseconds. Polling is simpler than watching here: the nodes are in two trees, and an
 * operator waits once.
 */
const interval = 250

/**
 * The instances that are present or still run a shard. A native instance deletes its node first, so that other
 * instances can take its idle shards, and then finishes its runs.
 */
function presentIn(snapshot: JobSnapshot): string[] {
  const present = new Set(snapshot.view.instances)
  for (const shard of snapshot.view.shards.keys()) {
    const runner = runnerOf(snapshot, shard)
    if (runner !== undefined) present.add(runner)
  }
  return [...present].toSorted()
}

/** Resolves when no matching instance is present; rejects with their names at the timeout. */
export async function untilLeft(
  registry: OperatorRegistry,
  jobName: string,
  isMeant: (instance: string) => boolean,
  { wait: limit = 0, onProgress, signal }: DepartureOptions,
  look: (snapshot: JobSnapshot) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const wait = millisecondsOf(limit)
  const end = registry.clock.monotonic() + wait
  let told: string | undefined
  for (;;) {
    const snapshot = await readOne(registry, jobName, 'full')
    await look(snapshot)
    const waitingFor = presentIn(snapshot).filter(isMeant)
    if (told !== waitingFor.join()) onProgress?.({ jobName, waitingFor })
    told = waitingFor.join()
    if (waitingFor.length === 0) return
    if (registry.clock.monotonic() >= end || signal?.aborted === true) {
      throw stillThere(jobName, waitingFor, wait)
    }
    await registry.pause(interval, signal)
  }
}

function stillThere(jobName: string, instances: readonly string[], wait: number): ElasticJobError {
  const names = instances.join(', ')
  return new ElasticJobError(
    'JOB_DEPARTURE_PENDING',
    message('departure-pending', { milliseconds: wait, jobName, instances: names }),
  )
}
