/** The result of an operation, for the answer and for the audit log. */
import type { Message } from '@elasticjob/core'
import type {
  Effect,
  Omission,
  OperationResult as CoreResult,
  Operations,
} from '@elasticjob/core/operations'

import type { EndpointName } from '../../contract/endpoints.ts'
import type { OperationResult } from '../../contract/results.ts'
import { message } from '../../message.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import type { Ask } from '../http/handler.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { listOf } from '../message-list.ts'
import { codeOf, reasonFrom, partsOf } from '../message-fields.ts'

/** The maximum number of effects in an audit entry. */
const named = 20

/** The query of a request about a registry. */
type RegistryAsk = Pick<Ask<EndpointName>, 'identity' | 'services' | 'notes'> & {
  readonly query: { readonly registry?: string | undefined }
}

/** The selected registry: that of the query, the user's default, or the first. */
export function linkOf({ query, identity, services }: RegistryAsk): RegistryLink {
  return services.registries.find(query.registry, services.choices.of(identity.username).registry)
}

/** The same, connected. */
export function registryOf(
  ask: RegistryAsk,
): Promise<{ readonly operations: Operations; readonly view: NamespaceView }> {
  const link = linkOf(ask)
  ask.notes.registry = link.name
  return link.open()
}

/** Runs an operation, and notes its result for the audit log. */
export async function perform(
  ask: RegistryAsk,
  act: (operations: Operations) => Promise<CoreResult>,
): Promise<OperationResult> {
  const { operations, view } = await registryOf(ask)
  const result = await act(operations)
  ask.notes.messageParts = summaryOf(result)
  await seen(view)
  return resultOf(result)
}

/** Waits until the view shows the change, so that the next request sees it; a failure here does not undo the change. */
export async function seen(view: NamespaceView): Promise<void> {
  await view.caughtUp().catch(() => {})
}

/** Errors stay on the server: their reasons are sent as text. */
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
  return { ...effect, messageParts: partsOf(effect.messageParts) }
}

function omissionOf({
  error,
  messageParts,
  reason,
  ...target
}: Omission): OperationResult['failed'][number] {
  return { ...target, ...reasonFrom(messageParts ?? reason, codeOf(error)) }
}

export function summaryOf({ done, unchanged, skipped, failed }: CoreResult): Message {
  const parts = [
    ...done.slice(0, named).map(({ messageParts }) => messageParts),
    ...(done.length > named ? [message('effects-more', { count: done.length - named })] : []),
    ...(unchanged.length > 0 ? [message('effects-unchanged', { count: unchanged.length })] : []),
    ...skipped
      .slice(0, named)
      .map(({ reason, messageParts = reason }) =>
        message('effect-skipped', { reason: messageParts }),
      ),
    ...failed
      .slice(0, named)
      .map(({ reason, messageParts = reason }) =>
        message('effect-failed', { reason: messageParts }),
      ),
  ]
  return parts.length === 0 ? message('effects-none') : listOf(parts)
}
