import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

import type { Clock, Timer } from '../../clock.ts'
import type { HttpSettings } from './settings.ts'

/** One request, to one server. */
export interface HttpRequest extends Omit<HttpSettings, 'contentType'> {
  readonly headers: { readonly shardingContext: string; readonly 'Content-Type'?: string }
}

export interface HttpAnswer {
  readonly status: number
  readonly statusMessage: string
  readonly location: string | undefined
  /** The start of the body. */
  readonly body: string
}

/**
 * How many bytes of a response are kept. The rest is read, up to a limit: a server may still be working while it
 * writes.
 */
const keptBytes = 2_048

/** Sends a request and reads its response. Settles when the socket is closed. */
export function exchange(
  given: HttpRequest,
  signal: AbortSignal,
  clock: Clock,
): Promise<HttpAnswer> {
  const { url, method, headers, body, connectTimeout, readTimeout } = given
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method,
    // Node sends no length for the body of a DELETE, and the server would read the body as another request.
    headers: body === undefined ? headers : { ...headers, 'Content-Length': body.length },
    // The server may close a connection of the previous run at the moment when this run reuses it.
    agent: false,
  })
  const silence = new TimeLimit(request, clock)
  const duration = new TimeLimit(request, clock)
  const abort = (): void => {
    request.destroy(reasonOf(signal))
  }
  signal.addEventListener('abort', abort)
  silence.expectWithin(connectTimeout, `no connection within ${connectTimeout} ms`)
  request.once('socket', (socket) => {
    socket.once('connect', () => heard())
  })

  function heard(): void {
    silence.expectWithin(readTimeout, `nothing was heard for ${readTimeout} ms`)
  }

  return new Promise<HttpAnswer>((resolve, reject) => {
    let answer: HttpAnswer | undefined
    let failure: Error | undefined
    request.once('response', (response) => {
      const kept = new KeptBody()
      const { responseTimeout, maxResponseBytes } = given
      duration.expectWithin(
        responseTimeout,
        `the answer had not ended ${responseTimeout} ms after its beginning`,
      )
      heard()
      response.on('data', (chunk: Buffer) => {
        heard()
        kept.add(chunk)
        if (kept.bytes > maxResponseBytes) {
          request.destroy(new Error(`the answer is larger than ${maxResponseBytes} bytes`))
        }
      })
      response.once('error', (error) => (failure ??= error))
      response.once('end', () => (answer = answerOf(response, kept)))
    })
    request.on('error', (error) => (failure ??= error))
    request.once('close', () => {
      signal.removeEventListener('abort', abort)
      silence.end()
      duration.end()
      if (answer !== undefined) resolve(answer)
      else reject(failure ?? new Error('the connection was closed without an answer'))
    })
    request.end(body)
    if (signal.aborted) abort()
  })
}

function answerOf(response: IncomingMessage, kept: KeptBody): HttpAnswer {
  return {
    status: response.statusCode ?? 0,
    statusMessage: response.statusMessage ?? '',
    location: response.headers.location,
    body: kept.text(),
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('the run was aborted', { cause: reason })
}

/** Destroys a request when an expected event does not occur in time. */
class TimeLimit {
  readonly #request: ClientRequest
  readonly #clock: Clock
  #timer: Timer | undefined

  constructor(request: ClientRequest, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  expectWithin(milliseconds: number, otherwise: string): void {
    this.end()
    if (milliseconds === 0) return
    this.#timer = this.#clock.setTimer(
      () => this.#request.destroy(new Error(otherwise)),
      milliseconds,
    )
  }

  end(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}

class KeptBody {
  readonly #chunks: Buffer[] = []
  #room = keptBytes
  /** How many bytes were read, kept or not. */
  bytes = 0

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.#room === 0) return
    const part = chunk.subarray(0, this.#room)
    this.#chunks.push(part)
    this.#room -= part.length
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString()
  }
}
