/** What was done to jobs, for the answer and for the audit. */
import type { OperationResult as CoreResult, Operations } from '@elasticjob/core'

import type { EndpointName } from '../../contract/endpoints.ts'
import type { OperationResult } from '../../contract/results.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import type { Ask } from '../http/handler.ts'
import type { Board } from '../live/board.ts'

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
  const result = resultOf(await deed(operations))
  ask.notes.message = summaryOf(result)
  await seen(board)
  return result
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
  const withoutError = ({ error: _error, ...rest }: CoreResult['failed'][number]): typeof rest =>
    rest
  return {
    action,
    done: done.map((effect) => ({ ...effect })),
    unchanged: unchanged.map((effect) => ({ ...effect })),
    skipped: skipped.map(withoutError),
    failed: failed.map(withoutError),
  }
}

export function summaryOf({ done, unchanged, skipped, failed }: OperationResult): string {
  const parts = [
    ...done.slice(0, named).map(({ text }) => text),
    ...(done.length > named ? [`and ${done.length - named} more`] : []),
    ...(unchanged.length > 0 ? [`${unchanged.length} so before`] : []),
    ...skipped.slice(0, named).map(({ reason }) => `left out: ${reason}`),
    ...failed.slice(0, named).map(({ reason }) => `failed: ${reason}`),
  ]
  return parts.join('; ') || 'nothing to do'
}
