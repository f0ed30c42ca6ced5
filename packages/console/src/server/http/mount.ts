/** Every endpoint of the contract: who may call it, what was sent, what is answered, and who did it. */
import { say } from '@elasticjob/core'
import type { Context, Hono } from 'hono'

import { type Endpoint, type EndpointName, endpoints } from '../../contract/endpoints.ts'
import { type RouteSchemas, routes } from '../../contract/routes.ts'
import { ConsoleError } from '../../errors.ts'
import type { NewAuditEntry } from '../audit/audit-log.ts'
import { withoutSecrets } from '../secrets.ts'
import type { Services } from '../services.ts'
import { wordsOf } from '../wire-words.ts'
import type { Ask, AuditNotes, Handlers } from './handler.ts'
import { failedAnswer } from './failures.ts'
import { identify, type Identity, nobody, requireOwnPage } from './identity.ts'
import { parse, readBody, requireNames } from './input.ts'
import { addressOf, requireSameOrigin } from './origin.ts'

const ranks = { nobody: 0, guest: 1, root: 2 } as const

/** Those that only ask although they are no GET. */
const harmless: ReadonlySet<EndpointName> = new Set([
  'checkConfiguration',
  'testRegistry',
  'testDataSource',
  'connectRegistry',
  'connectDataSource',
])

export function mount(app: Hono, handlers: Handlers, services: Services): void {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { method, path } = endpoints[name]
    app.on(method, `/api${honoPath(path)}`, (context) => serve(name, context, handlers, services))
  }
  mountRefusals(app)
}

/** `{job}` of the contract is `:job` of the router. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** A path that exists answers to its own methods alone, and says which those are. */
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
          ? say`a trigger runs a job, and a GET must change nothing: send POST`
          : say`it answers to ${allow}`
      context.header('Allow', allow)
      return answerFailure(
        context,
        new ConsoleError(
          'CONSOLE_METHOD_NOT_ALLOWED',
          say`${context.req.method} is refused: ${why}`,
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
  const isAudited = isChange && !harmless.has(name)
  const notes: AuditNotes = {}
  let identity = nobody
  let input: unknown
  try {
    if (isChange) requireSameOrigin(context, services.trustProxy)
    identity = await identify(context, services)
    if (identity.role !== 'nobody') context.header('identify', identity.role)
    requireRole(endpoint, identity)
    // Who logs in has no session yet, or one that is over.
    if (isChange && name !== 'login') requireOwnPage(context, identity)
    const ask = await askOf(name, context, identity, notes, services)
    input = ask.body
    const handler = handlers[name] as (asked: typeof ask) => unknown
    const answer = await handler(ask)
    if (isAudited) write('done')
    return toResponse(context, name, answer)
  } catch (error) {
    if (isAudited) write(isRefusal(error) ? 'refused' : 'failed', error)
    services.failed(error)
    return answerFailure(context, error)
  }

  function write(outcome: 'done' | 'failed' | 'refused', error?: unknown): void {
    const { said = say`done`, ...noted } = notes
    try {
      services.audit.write({
        address: addressOf(context, services.trustProxy),
        action: name,
        outcome,
        ...targetOf(context),
        ...noted,
        username: notes.username ?? (identity.username || 'nobody'),
        role: notes.role ?? identity.role,
        ...(error === undefined ? wordsOf({ message: said.text, said }) : auditedFailure(error)),
        input: withoutSecrets(input),
      })
    } catch (problem) {
      // What was done is done, and has to be said so.
      services.logger.error(`the audit cannot be written: ${String(problem)}`)
    }
  }
}

function auditedFailure(error: unknown): Pick<NewAuditEntry, 'message' | 'said' | 'code'> {
  const { code, message, said } = failedAnswer(error).body.error
  return { code, message: `${code}: ${message}`, said }
}

function requireRole({ role }: Endpoint, identity: Identity): void {
  if (ranks[identity.role] >= ranks[role]) return
  if (identity.role === 'nobody') {
    throw new ConsoleError('CONSOLE_UNAUTHENTICATED', say`log in first, or send HTTP Basic`)
  }
  throw new ConsoleError(
    'CONSOLE_FORBIDDEN',
    say`${identity.username} looks: only root may do this`,
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
  const params = parse(schemas.params, context.req.param(), say`the path`)
  requireNames(params as Readonly<Record<string, unknown>>)
  const query = parse(schemas.query, context.req.query(), say`the query`)
  const body =
    schemas.body === undefined
      ? undefined
      : parse(schemas.body, await readBody(context, schemas.bodyOptional === true), say`the body`)
  return { params, query, body, identity, context, notes, services } as Ask<EndpointName>
}

function toResponse(context: Context, name: EndpointName, answer: unknown): Response {
  if (answer instanceof Response) return answer
  const schemas: RouteSchemas = routes[name]
  if (schemas.media === 'text/plain') return context.text(answer as string)
  return context.json(answer as never)
}

export function answerFailure(context: Context, error: unknown): Response {
  const { status, body } = failedAnswer(error)
  // A browser would ask for a password in a window of its own, although the page has one.
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

/** What the path names, also where it went no further. */
function targetOf(context: Context): Omit<AuditNotes, 'said'> {
  const { job, server, item } = context.req.param() as Record<string, string | undefined>
  const registry = context.req.query('registry')
  return {
    ...(registry === undefined ? {} : { registry }),
    ...(job === undefined ? {} : { jobName: job }),
    ...(server === undefined ? {} : { server }),
    ...(item === undefined || !/^\d{1,9}$/.test(item) ? {} : { item: Number(item) }),
  }
}
