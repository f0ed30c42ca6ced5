/** The type of a handler: input and output as the contract defines them. */
import type { Message } from '@elasticjob/core'
import type { Context } from 'hono'
import type { z } from 'zod'

import type { EndpointName } from '../../contract/endpoints.ts'
import type { AnswerOf, Routes } from '../../contract/routes.ts'
import type { NewAuditEntry } from '../audit/audit-log.ts'
import type { Services } from '../services.ts'
import type { Identity } from './identity.ts'

/** The identity is known before the call, except for a login. */
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

/** Details for the audit log besides the input. */
export type AuditNotes = {
  -readonly [K in Noted]?: NewAuditEntry[K] | undefined
} & {
  /** The result. */
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
