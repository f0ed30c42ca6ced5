/** Mounts every endpoint of the contract: role check, input, answer and audit. */
import { maskText, maskTexts, summaryOf } from '@elasticjob/core/internal'
import type { Context, Hono } from 'hono'

import { type Endpoint, type EndpointName, endpoints } from '../../contract/endpoints.ts'
import { type RouteSchemas, routes } from '../../contract/routes.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { auditedInput, isAudited } from '../audit/audited-fields.ts'
import type { NewAuditEntry } from '../audit/audit-log.ts'
import type { Services } from '../services.ts'
import { messageFields } from '../message-fields.ts'
import type { Ask, AuditNotes, Handlers } from './handler.ts'
import { failedAnswer } from './failures.ts'
import { identify, type Identity, nobody, requireOwnPage } from './identity.ts'
import { parse, readBody, requireNames } from './input.ts'
import { addressOf, requireSameOrigin } from './origin.ts'

const ranks = { nobody: 0, guest: 1, root: 2 } as const

export function mount(app: Hono, handlers: Handlers, services: Services): void {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path } = endpoints[name]
    app.on(method, `/api${honoPath(path)}`, (context) => serve(name, context, handlers, services))
  }
  mountRefusals(app)
}

/** Converts `{job}` of the contract into `:job` of the router. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Answers other methods of an existing path with 405 and the allowed methods. */
function mountRefusals(app: Hono): void {
  const methods = new Map<string, string[]>()
  for (const { method, path } of Object.values<Endpoint>(endpoints)) {
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  for (const [path, allowed] of methods) {
    app.all(`/api${honoPath(path)}`, (context) => {
      const allow = allowed.join(', ')
      const why =
        path === endpoints.triggerJob.path
          ? message('trigger-by-get')
          : message('methods-allowed', { methods: allow })
      context.header('Allow', allow)
      return answerFailure(
        context,
        new ConsoleError(
          'CONSOLE_METHOD_NOT_ALLOWED',
          message('method-refused', { method: context.req.method, reason: why }),
        ),
      )
    })
  }
}

async function serve(
  name: EndpointName,
  context: Context,
  handlers: Handlers,
  services: Services,
): Promise<Response> {
  const endpoint: Endpoint = endpoints[name]
  const isChange = endpoint.method !== 'GET'
  const notes: AuditNotes = {}
  let identity = nobody
  let input: unknown
  try {
    if (isChange) requireSameOrigin(context, services.trustProxy)
    identity = await identify(context, services)
    if (identity.role !== 'nobody') context.header('identify', identity.role)
    requireRole(endpoint, identity)
    // A login has no session yet, or an expired one.
    if (isChange && name !== 'login') requireOwnPage(context, identity)
    const ask = await askOf(name, context, identity, notes, services)
    input = { ...ask.query, ...(ask.body as object | undefined) }
    const handler = handlers[name] as (asked: typeof ask) => unknown
    const answer = await handler(ask)
    write('done')
    return toResponse(context, name, answer)
  } catch (error) {
    write(isRefusal(error) ? 'refused' : 'failed', error)
    services.failed(error)
    return answerFailure(context, error)
  }

  function write(outcome: 'done' | 'failed' | 'refused', error?: unknown): void {
    if (!isAudited(name)) return
    const { messageParts = message('action-done'), ...noted } = notes
    const address = addressOf(context, services.trustProxy)
    try {
      if ((notes.role ?? identity.role) === 'nobody') {
        // Clients without a login can send any number of requests: these are counted, not stored.
        if (error !== undefined)
          services.refusals.count({ address, action: name, ...attemptOf(input, error, services) })
        return
      }
      services.audit.write({
        address,
        action: name,
        outcome,
        ...targetOf(context),
        ...noted,
        username: notes.username ?? (identity.username || 'nobody'),
        role: notes.role ?? identity.role,
        ...(error === undefined
          ? maskTexts(messageFields({ message: messageParts.text, messageParts }))
          : auditedFailure(error)),
        input: auditedInput(name, input),
      })
    } catch (problem) {
      // The operation is done, so the answer has to report success.
      services.logger.error(`The audit log cannot be written: ${summaryOf(problem)}`)
    }
  }
}

/**
 * The account that was tried, and the error code. A name without an account is not stored: it may be a mistyped
 * password.
 */
function attemptOf(
  input: unknown,
  error: unknown,
  { accounts }: Services,
): { username: string; code: string } {
  const { username = '' } = (input ?? {}) as { readonly username?: string }
  const { code } = failedAnswer(error).body.error
  return { username: accounts.find(username)?.username ?? '', code }
}

function auditedFailure(error: unknown): Pick<NewAuditEntry, 'message' | 'messageParts' | 'code'> {
  const { code, message: text, messageParts } = maskTexts(failedAnswer(error).body.error)
  return { code, message: `${code}: ${text}`, messageParts }
}

function requireRole({ role }: Endpoint, identity: Identity): void {
  if (ranks[identity.role] >= ranks[role]) return
  if (identity.role === 'nobody') {
    throw new ConsoleError('CONSOLE_UNAUTHENTICATED', message('login-required'))
  }
  throw new ConsoleError(
    'CONSOLE_FORBIDDEN',
    message('root-required', { username: identity.username }),
  )
}

async function askOf(
  name: EndpointName,
  context: Context,
  identity: Identity,
  notes: AuditNotes,
  services: Services,
): Promise<Ask<EndpointName>> {
  const schemas: RouteSchemas = routes[name]
  const params = parse(schemas.params, context.req.param(), message('path-subject'))
  requireNames(params as Readonly<Record<string, unknown>>)
  const query = parse(schemas.query, context.req.query(), message('query-subject'))
  const body =
    schemas.body === undefined
      ? undefined
      : parse(
          schemas.body,
          await readBody(context, schemas.bodyOptional === true),
          message('body-subject'),
        )
  return { params, query, body, identity, context, notes, services } as Ask<EndpointName>
}

function toResponse(context: Context, name: EndpointName, answer: unknown): Response {
  if (answer instanceof Response) return answer
  const schemas: RouteSchemas = routes[name]
  if (schemas.media === 'text/plain') return context.text(maskText(answer as string))
  // Handlers mask configurations; this masks secrets in errors, logs and URLs.
  return context.json((name === 'revealConfiguration' ? answer : maskTexts(answer)) as never)
}

export function answerFailure(context: Context, error: unknown): Response {
  const { status, body: failure } = failedAnswer(error)
  const body = maskTexts(failure)
  // Without this, a browser would open its own password dialog, although the page has a login form.
  const mode = context.req.header('sec-fetch-mode')
  if (status === 401 && (mode === undefined || mode === 'navigate')) {
    context.header('WWW-Authenticate', 'Basic realm="ElasticJob console", charset="UTF-8"')
  }
  const { retryAfter } = body.error
  if (retryAfter !== undefined) context.header('Retry-After', String(retryAfter))
  return context.json(body, status)
}

function isRefusal(error: unknown): boolean {
  const { status } = failedAnswer(error)
  return status === 401 || status === 403 || status === 429
}

/** The targets in the path, also for a request that failed early. */
function targetOf(context: Context): Omit<AuditNotes, 'messageParts'> {
  const { job, server, item: shard } = context.req.param() as Record<string, string | undefined>
  const registry = context.req.query('registry')
  return {
    ...(registry === undefined ? {} : { registry }),
    ...(job === undefined ? {} : { jobName: job }),
    ...(server === undefined ? {} : { server }),
    ...(shard === undefined || !/^\d{1,9}$/.test(shard) ? {} : { item: Number(shard) }),
  }
}
