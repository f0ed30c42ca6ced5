/** Waits for instances to leave a job: they let their runs end first. */
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
   * @default 0 for a shutdown, which is a request; '1m' for a removal, which needs their end
   */
  readonly wait?: Duration | undefined
  /**
   * Told at first, and whenever somebody has left.
   * @default nobody is told
   */
  readonly onProgress?: ((progress: DepartureProgress) => void) | undefined
  /**
   * Ends the waiting. What was asked for stays asked for.
   * @default never
   */
  readonly signal?: AbortSignal | undefined
}

/** The instances that an operation waits for. */
export interface DepartureProgress {
  readonly jobName: string
  /** Who is still there. */
  readonly waitingFor: readonly string[]
}

/**
 * How often to look, in milliseconds. Looking, not watching: what has to be seen stands in two trees, and
 * an operator waits once.
 */
const interval = 250

/**
 * Who is there, or still runs something: an instance of ours gives up its node first, so that others can
 * have what is idle, and ends its runs then.
 */
function presentIn(snapshot: JobSnapshot): string[] {
  const present = new Set(snapshot.view.instances)
  for (const shard of snapshot.view.shards.keys()) {
    const runner = runnerOf(snapshot, shard)
    if (runner !== undefined) present.add(runner)
  }
  return [...present].toSorted()
}

/** Resolves when none of those who are meant is there; rejects, naming them, when they take too long. */
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
