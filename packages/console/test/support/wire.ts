import { request } from 'node:http'

import type { Answer } from './visitor.ts'

interface Wired {
  readonly method: string
  /** To the letter: what a browser or `fetch` would tidy up is sent as it is. */
  readonly path: string
  readonly body?: string
  readonly basic?: readonly [username: string, password: string]
}

/** A request as it goes over the wire, to a console that listens. */
export function sendOverWire(url: string, { method, path, body, basic }: Wired): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = {
      ...(basic === undefined
        ? {}
        : { authorization: `Basic ${Buffer.from(basic.join(':')).toString('base64')}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const asked = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const type = response.headers['content-type'] ?? ''
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers({ 'content-type': type }),
          body: type.includes('json') ? (JSON.parse(text) as unknown) : text,
        })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
