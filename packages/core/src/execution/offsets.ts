/** Saves the offsets of runs, one write after the other. The version of the shard state fences each write. */
import { ElasticJobError } from '../errors.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { Member } from '../job-tree/member.ts'
import { requireKnown } from '../registry/read-nodes.ts'
import {
  isOutcomeUnknown,
  isOutOfReach,
  isRegistryError,
  RegistryError,
} from '../registry/registry-error.ts'
import {
  part,
  read,
  type ReadResult,
  toText,
  type TransactionPart,
} from '../registry/transaction.ts'
import type { Run } from './run.ts'

/** The node differs from the one the write was planned on: another offset, another run, or no node. */
const outdated = ['REGISTRY_BAD_VERSION', 'REGISTRY_NODE_EXISTS', 'REGISTRY_NO_NODE'] as const

/** Offsets may be long. This many stay well below the size limit of one response. */
const offsetsPerRead = 100

/** An offset as the registry stores it. */
export interface SavedOffset {
  readonly value: string
  /** The version of the offset node. */
  readonly version: number
}

/**
 * Saves an offset if the run still holds the shard and `before` is still the last offset. So a write that reaches the
 * registry late, after its connection was lost, never replaces a later offset. `stateVersion`: the version of the shard
 * state since the claim; undefined without monitorExecution, where there is no claim.
 */
export function planOffset(
  me: Member,
  shard: number,
  stateVersion: number | undefined,
  offset: string,
  before: SavedOffset | undefined,
): TransactionPart[] {
  const path = me.paths.offset(shard)
  return [
    ...(stateVersion === undefined ? [] : [part.check(me.paths.shardState(shard), stateVersion)]),
    before === undefined ? part.create(path, offset) : part.set(path, offset, before.version),
  ]
}

/** The offset in a read result; undefined if none is saved. */
export function offsetIn(result: ReadResult | undefined): SavedOffset | undefined {
  requireKnown(result)
  if (result === undefined || !('data' in result)) return undefined
  return { value: toText(result.data), version: result.stat.version }
}

/** Reads the offsets of claimed runs. After the claim no other run can save an offset. */
export async function readOffsets(
  { session, replica: { paths } }: Coordination,
  runs: readonly Run[],
): Promise<void> {
  for (let start = 0; start < runs.length; start += offsetsPerRead) {
    const some = runs.slice(start, start + offsetsPerRead)
    const results = await session.read(some.map((run) => read.get(paths.offset(run.shard))))
    for (const [index, { slot }] of some.entries()) slot.keep({ offset: offsetIn(results[index]) })
  }
}

/** Resolves when the registry has the offset. Calls of one run are executed in order. */
export function saveOffset(host: Coordination, run: Run, offset: string): Promise<void> {
  const save = (): Promise<void> => retrySave(host, run, offset)
  const saved = run.saving === undefined ? save() : run.saving.then(save)
  run.saving = saved.catch(() => {})
  return saved
}

/** Retries until the registry has the offset, or this run cannot save it any more. */
async function retrySave(host: Coordination, run: Run, offset: string): Promise<void> {
  for (let isRepeated = false; ; isRepeated = true) {
    if (!run.hasSlot) throw supersededError(run)
    try {
      // The previous write may have been committed although its answer was lost. The registry decides.
      if (isRepeated) await readBack(host, run)
      if (isRepeated && run.slot.offset?.value === offset) return
      run.slot.keep({ offset: await write(host, run, offset) })
      return
    } catch (error) {
      if (isUnanswered(error)) await reconnected(host, run, error)
      else if (!isRegistryError(error, ...outdated)) throw error
    }
  }
}

async function write(host: Coordination, run: Run, offset: string): Promise<SavedOffset> {
  if (!host.replica.folders.has('offset')) await ensureFolder(host, run)
  requireSession(host, run)
  const fence = run.isWritten ? run.stateVersion : undefined
  const parts = planOffset(host.member(), run.shard, fence, offset, run.slot.offset)
  const results = await whileLeased(host, run, host.session.commit(parts))
  return { value: offset, version: results.at(-1)?.stat?.version ?? 0 }
}

/**
 * Only the session that claimed the run may write its offsets. In a registry that lost its data, versions start
 * again, so the version of the run's shard state may match another run.
 */
function requireSession({ session }: Coordination, run: Run): void {
  if (!session.isReady) {
    throw new RegistryError('REGISTRY_NOT_CONNECTED', 'the session is not confirmed')
  }
  if (run.reference.instance !== session.instance) throw supersededError(run)
}

/** Stops waiting for the answer when the lease expires: the code has to end and must not wait any longer. */
function whileLeased<T>({ session }: Coordination, run: Run, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const listener = {
      aborted: () => {
        if (!session.client.lease.valid) reject(notSaved(run, run.abort.reason))
      },
    }
    run.abort.onAbort(listener)
    answer.then(resolve, reject).finally(() => run.abort.offAbort(listener))
  })
}

/** Creates only the folder itself. The nodes above it belong to the job, and a removed job must not be recreated. */
async function ensureFolder({ session, replica }: Coordination, run: Run): Promise<void> {
  try {
    await session.commit([part.create(replica.paths.offsets)])
  } catch (error) {
    if (isRegistryError(error, 'REGISTRY_NODE_EXISTS')) return
    if (isRegistryError(error, 'REGISTRY_NO_NODE')) throw supersededError(run)
    throw error
  }
}

/** Reads the shard state before the offset. While the state belongs to this run, no other run writes an offset. */
async function readBack({ session, replica }: Coordination, run: Run): Promise<void> {
  const { paths } = replica
  const [state, offset] = await session.read([
    read.get(paths.shardState(run.shard)),
    read.get(paths.offset(run.shard)),
  ])
  requireKnown(state)
  const version = state !== undefined && 'data' in state ? state.stat.version : undefined
  const saved = offsetIn(offset)
  if (run.isWritten && version !== run.stateVersion) throw supersededError(run)
  run.slot.keep({ offset: saved })
}

/** Resolves when the session is ready; rejects when the run has to end first. */
async function reconnected({ session }: Coordination, run: Run, cause: unknown): Promise<void> {
  while (!session.isReady) {
    if (run.abort.isAborted) throw notSaved(run, cause)
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        run.abort.offAbort(listener)
        session.off('session:resumed', wake)
        session.off('session:renewed', wake)
        resolve()
      }
      const listener = { aborted: wake }
      run.abort.onAbort(listener)
      session.on('session:resumed', wake)
      session.on('session:renewed', wake)
    })
  }
}

/** Whether the registry did not answer because the connection was missing or lost. */
function isUnanswered(error: unknown): error is RegistryError {
  return (
    isOutcomeUnknown(error) ||
    isOutOfReach(error) ||
    isRegistryError(error, 'REGISTRY_DEADLINE_EXCEEDED')
  )
}

function supersededError({ reference: { jobName, shardingItem: shard } }: Run): ElasticJobError {
  return new ElasticJobError(
    'JOB_RUN_SUPERSEDED',
    `shard ${shard} of job ${jobName} has been taken over by another run: its offset is that run's to keep`,
  )
}

/**
 * The write may still be committed. The slot becomes stale, so the next run of the shard reads the offset before it
 * starts.
 */
function notSaved(run: Run, cause: unknown): ElasticJobError {
  const { jobName, shardingItem: shard } = run.reference
  if (run.hasSlot) run.slot.invalidate()
  return new ElasticJobError(
    'JOB_OFFSET_NOT_SAVED',
    `job '${jobName}', shard ${shard}: could not confirm that the offset is saved, because ZooKeeper ` +
      'is out of reach and the run has to end; the next run starts at the offset that the registry has',
    cause,
  )
}
