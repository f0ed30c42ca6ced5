/** Sends one POST, which ends in time whatever the server does. */
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

import type { Clock, Timer } from '@elasticjob/core'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The time limit for connecting, in milliseconds. */
  readonly connectTimeout: number
  /** How long the server may send nothing, in milliseconds. */
  readonly readTimeout: number
}

export interface Answer {
  readonly status: number
  /** The beginning of the body. */
  readonly body: string
}

/** The maximum number of bytes read of an answer: answers of services are shorter. */
const mostBytes = 64 * 1024

/** Resolves with the answer, whatever its status; the socket is then closed. Redirects are not followed. */
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
    // Messages are rare: the server would mostly have closed a kept connection.
    agent: false,
  })
  const limit = new Limit(request, clock)
  const abort = (): void => {
    request.destroy(new Error('the sending was aborted', { cause: signal.reason }))
  }
  return new Promise<Answer>((resolve, reject) => {
    let answer: Answer | undefined
    let failure: Error | undefined
    const heard = (): void =>
      limit.set(readTimeout, `no data from the server for ${readTimeout} ms`)
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
      else reject(failure ?? new Error('the server closed the connection without an answer'))
    })
    signal.addEventListener('abort', abort)
    request.end(bytes)
    if (signal.aborted) abort()
  })
}

/** Aborts a request that misses its time limit. */
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
