import type { Console } from '../../src/index.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** JSON where it is JSON, else text. */
  readonly body: unknown
}

interface Credentials {
  readonly basic?: readonly [username: string, password: string]
  readonly cookie?: string
  readonly csrf?: string
}

/** Somebody who asks a console something, by HTTP Basic, with a cookie, or without either. */
export class Visitor {
  readonly #console: Console
  readonly #credentials: Credentials

  constructor(console: Console, credentials: Credentials = {}) {
    this.#console = console
    this.#credentials = credentials
  }

  static async login(console: Console, username: string, password: string): Promise<Visitor> {
    const answer = await new Visitor(console).send('POST', '/session', { username, password })
    if (answer.status !== 200) throw new Error(`no login: ${JSON.stringify(answer.body)}`)
    const [cookie] = (answer.headers.get('set-cookie') ?? '').split(';')
    const { csrfToken } = answer.body as { csrfToken: string }
    return new Visitor(console, { cookie: cookie ?? '', csrf: csrfToken })
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send('PUT', path, body)
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, body)
  }

  /** The answer before anybody has read it: of a stream. */
  raw(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers(), ...(init.headers as Record<string, string>) }
    const request = new Request(`http://localhost/api${path}`, { ...init, method, headers })
    return Promise.resolve(this.#console.fetch(request))
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await this.raw(method, path, {
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: text }),
    })
    const messageParts = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(messageParts) as unknown) : messageParts,
    }
  }

  #headers(): Record<string, string> {
    const { basic, cookie, csrf } = this.#credentials
    return {
      ...(basic === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
    }
  }
}
