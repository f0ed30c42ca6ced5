/** What a handler is: it is asked what the contract says, and answers what the contract says. */
import type { Message } from '@elasticjob/core'
import type { Context } from 'hono'
import type { z } from 'zod'

import type { EndpointName } from '../../contract/endpoints.ts'
import type { AnswerOf, Routes } from '../../contract/routes.ts'
import type { NewAuditEntry } from '../audit/audit-log.ts'
import type { Services } from '../services.ts'
import type { Identity } from './identity.ts'

/** Who it was is known before, but of a login. */
type Noted =
  | 'username'
  | 'role'
  | 'registry'
  | 'jobName'
  | 'jobNames'
  | 'server'
  | 'shard'
  | 'before'
  | 'after'

/** What the audit is to know beyond what was asked. */
export type AuditNotes = {
  -readonly [K in Noted]?: NewAuditEntry[K] | undefined
} & {
  /** What came of it. */
  messageParts?: Message | undefined
}

export interface Ask<N extends EndpointName> {
  readonly params: z.output<Routes[N]['params']>
  readonly query: z.output<Routes[N]['query']>
  readonly body: Routes[N] extends { body: infer B extends z.ZodType } ? z.output<B> : undefined
  readonly identity: Identity
  readonly context: Context
  readonly notes: AuditNotes
  readonly services: Services
}

type Handler<N extends EndpointName> = (
  ask: Ask<N>,
) => AnswerOf<N> | Response | Promise<AnswerOf<N> | Response>

export type Handlers = { readonly [N in EndpointName]: Handler<N> }
