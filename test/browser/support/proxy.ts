/** A reverse proxy that has the console below a path, and something else at its root. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy extends AsyncDisposable {
  /** Where the console is, for whoever comes through the proxy. */
  readonly url: string
  /** Paths outside of the console that somebody has asked for. */
  readonly strays: readonly string[]
}

export async function startProxy(consoleUrl: string): Promise<Proxy> {
  const { hostname, port, pathname: basePath } = new URL(consoleUrl)
  const strays: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers, socket } = incoming
    if (url !== basePath && !url.startsWith(`${basePath}/`)) {
      // The browser asks every host for it by itself.
      if (url !== '/favicon.ico') strays.push(url)
      outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('something else')
      return
    }
    const forwarded = request(
      {
        hostname,
        port,
        method,
        path: url,
        headers: {
          ...headers,
          'x-forwarded-for': socket.remoteAddress ?? '',
          'x-forwarded-host': headers.host ?? '',
          'x-forwarded-proto': 'http',
        },
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}${basePath}`,
    strays,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
