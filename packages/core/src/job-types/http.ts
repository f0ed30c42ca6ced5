import type { Clock } from '../clock.ts'
import { ConfigurationError } from '../errors.ts'
import type { ShardingContext } from './context.ts'
import { exchange, type HttpAnswer, type HttpRequest } from './http/exchange.ts'
import { HttpError } from './http/http-error.ts'
import { httpProblemsOf, type HttpSettings, httpSettingsOf } from './http/settings.ts'
import type { JobType } from './job-type.ts'
import type { Props } from '../config/props.ts'
import { shardingContextHeader } from './sharding-context-json.ts'
import { messageOf } from '../thrown.ts'

/** More than any server needs; without a limit, two servers that redirect to each other would never end. */
const mostRedirects = 5

/** A job type that sends one HTTP request for each shard, with the context in the header `shardingContext`. */
export function httpType(clock: Clock): JobType {
  return {
    name: 'HTTP',
    problemsOf: httpProblemsOf,
    runner: {
      scope: 'shard',
      run: (context, { props }) => runRequest(context, props, clock),
    },
  }
}

async function runRequest(context: ShardingContext, props: Props, clock: Clock): Promise<void> {
  const problems = httpProblemsOf(props)
  if (problems.length > 0) throw new ConfigurationError('the HTTP request', problems)
  context.signal.throwIfAborted()
  let request: HttpRequest | undefined = firstRequest(httpSettingsOf(props), context)
  for (let redirects = 0; request !== undefined; redirects += 1) {
    const subject = describe(request)
    if (redirects > mostRedirects)
      throw new HttpError(`${subject}: more than ${mostRedirects} redirects`)
    const answer = await exchange(request, context.signal, clock).catch((error: unknown) => {
      throw new HttpError(`${subject}: ${messageOf(error)}`, undefined, error)
    })
    const messageParts = `${answer.status} ${answer.statusMessage}`.trim()
    if (answer.status >= 400) {
      const text = answer.body.trim()
      throw new HttpError(
        `${subject} answered ${messageParts}${text && `: ${text}`}`,
        answer.status,
      )
    }
    context.logger.debug(`${subject} answered ${messageParts}`)
    request = redirected(request, answer)
  }
}

function firstRequest(settings: HttpSettings, context: ShardingContext): HttpRequest {
  const { contentType, ...request } = settings
  return {
    ...request,
    headers: {
      shardingContext: shardingContextHeader(context),
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
    },
  }
}

/**
 * The request for the target of a redirect; undefined if the answer is not a redirect. A server that only redirects has
 * not run the job.
 */
function redirected(request: HttpRequest, answer: HttpAnswer): HttpRequest | undefined {
  const { status, location } = answer
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const base = request.url.href
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const message = `${describe(request)} redirects to "${location}", which is no address`
    throw new HttpError(message, status)
  }
  // As in every client: 303 changes the method to GET, and so does a 301 or 302 in response to a POST.
  const becomesGet =
    status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  if (!becomesGet) {
    if (request.body !== undefined && !isSameServer(request.url, url)) {
      const message = `${describe(request)} redirects to another server, ${url.origin}; its body is not sent there: set http.uri to where it is to go`
      throw new HttpError(message, status)
    }
    return { ...request, url }
  }
  const { shardingContext } = request.headers
  return { ...request, url, method: 'GET', headers: { shardingContext }, body: undefined }
}

/** The credentials in `http.uri` need no check: the URL of another server does not contain them. */
function isSameServer(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:'
  return isUpgrade && from.hostname === to.hostname && from.port === '' && to.port === ''
}

/** Without user, password and query: messages end up in logs and mails. */
function describe({ method, url }: HttpRequest): string {
  return `${method} ${url.origin}${url.pathname}`
}
