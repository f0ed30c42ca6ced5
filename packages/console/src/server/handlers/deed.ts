/** What was done to jobs, for the answer and for the audit. */
import {
  type Effect,
  type Omission,
  type OperationResult as CoreResult,
  type Operations,
  say,
  type Sentence,
} from '@elasticjob/core'

import type { EndpointName } from '../../contract/endpoints.ts'
import type { OperationResult } from '../../contract/results.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import type { Ask } from '../http/handler.ts'
import type { Board } from '../live/board.ts'
import { listOf } from '../sentence-list.ts'
import { codeOf, reasonFrom, saidOf } from '../wire-words.ts'

/** So many effects are named in the audit. */
const named = 20

/** Whoever asks about a registry says which in the query. */
type RegistryAsk = Pick<Ask<EndpointName>, 'identity' | 'services' | 'notes'> & {
  readonly query: { readonly registry?: string | undefined }
}

/** The registry that is meant: the query's, the user's own, or the first. */
export function linkOf({ query, identity, services }: RegistryAsk): RegistryLink {
  return services.registries.find(query.registry, services.choices.of(identity.username).registry)
}

/** The same, connected. */
export function registryOf(
  ask: RegistryAsk,
): Promise<{ readonly operations: Operations; readonly board: Board }> {
  const link = linkOf(ask)
  ask.notes.registry = link.name
  return link.open()
}

/** Does something, and writes down what came of it. */
export async function perform(
  ask: RegistryAsk,
  deed: (operations: Operations) => Promise<CoreResult>,
): Promise<OperationResult> {
  const { operations, board } = await registryOf(ask)
  const result = await deed(operations)
  ask.notes.said = summaryOf(result)
  await seen(board)
  return resultOf(result)
}

/** Whoever asks next sees what was done; that it cannot be seen does not undo it. */
export async function seen(board: Board): Promise<void> {
  await board.caughtUp().catch(() => {})
}

/** Errors stay on the server: their reasons are in words. */
export function resultOf({
  action,
  done,
  unchanged,
  skipped,
  failed,
}: CoreResult): OperationResult {
  return {
    action,
    done: done.map(effectOf),
    unchanged: unchanged.map(effectOf),
    skipped: skipped.map(omissionOf),
    failed: failed.map(omissionOf),
  }
}

function effectOf(effect: Effect): OperationResult['done'][number] {
  return { ...effect, said: saidOf(effect.said) }
}

function omissionOf({
  error,
  said,
  reason,
  ...target
}: Omission): OperationResult['failed'][number] {
  return { ...target, ...reasonFrom(said ?? reason, codeOf(error)) }
}

export function summaryOf({ done, unchanged, skipped, failed }: CoreResult): Sentence {
  const parts = [
    ...done.slice(0, named).map(({ said }) => said),
    ...(done.length > named ? [say`and ${done.length - named} more`] : []),
    ...(unchanged.length > 0 ? [say`${unchanged.length} so before`] : []),
    ...skipped.slice(0, named).map(({ reason, said = reason }) => say`left out: ${said}`),
    ...failed.slice(0, named).map(({ reason, said = reason }) => say`failed: ${said}`),
  ]
  return parts.length === 0 ? say`nothing to do` : listOf(parts)
}
