/** One POST to one server, that ends in time whatever the server does. */
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

import type { Clock, Timer } from '@elasticjob/zookeeper'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds until there must be a connection. */
  readonly connectTimeout: number
  /** Milliseconds that the server may be silent. */
  readonly readTimeout: number
}

export interface Answer {
  readonly status: number
  /** The beginning of the body. */
  readonly body: string
}

/** What is read of an answer: any that a service gives is shorter, and the rest would only cost. */
const mostBytes = 64 * 1024

/** Resolves with the answer, whatever it is; the socket is closed by then. Redirects are not followed. */
export function post(
  { url, headers, body, connectTimeout, readTimeout }: Post,
  signal: AbortSignal,
  clock: Clock,
): Promise<Answer> {
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  const bytes = Buffer.from(body)
  const request = (isSecure ? requestHttps : requestHttp)(target, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': bytes.length },
    // Messages are rare: a connection that was kept would mostly have been closed by the server.
    agent: false,
  })
  const limit = new Limit(request, clock)
  const abort = (): void => {
    request.destroy(new Error('it was given up', { cause: signal.reason }))
  }
  return new Promise<Answer>((resolve, reject) => {
    let answer: Answer | undefined
    let failure: Error | undefined
    const heard = (): void => limit.set(readTimeout, `nothing was heard for ${readTimeout} ms`)
    limit.set(connectTimeout, `no connection within ${connectTimeout} ms`)
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', heard)
    })
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const chunks: Buffer[] = []
      let length = 0
      const end = (): void => {
        answer = { status, body: Buffer.concat(chunks).toString() }
      }
      heard()
      response.on('data', (chunk: Buffer) => {
        heard()
        chunks.push(chunk.subarray(0, mostBytes - length))
        length += chunk.length
        if (length < mostBytes) return
        end()
        request.destroy()
      })
      response.once('end', end)
      response.once('error', (error) => (failure ??= error))
    })
    request.on('error', (error) => (failure ??= error))
    request.once('close', () => {
      limit.end()
      signal.removeEventListener('abort', abort)
      if (answer !== undefined) resolve(answer)
      else reject(failure ?? new Error('the connection was closed without an answer'))
    })
    signal.addEventListener('abort', abort)
    request.end(bytes)
    if (signal.aborted) abort()
  })
}

/** Ends a request when what is expected does not come in time. */
class Limit {
  readonly #request: ClientRequest
  readonly #clock: Clock
  #timer: Timer | undefined

  constructor(request: ClientRequest, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  set(milliseconds: number, otherwise: string): void {
    this.end()
    const expire = (): void => void this.#request.destroy(new Error(otherwise))
    this.#timer = this.#clock.setTimer(expire, milliseconds)
  }

  end(): void {
    this.#timer?.cancel()
  }
}
