/** A server for metrics only. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { MetricsError } from '../errors.ts'
import type { MetricsHandler } from './handler.ts'

/** Where the metrics are served. */
export interface ListenOptions {
  /**
   * The port; 0 for any free port.
   * @default 9464
   */
  readonly port?: number | undefined
  /**
   * The address. Metrics contain names of jobs and servers, and need no password: listen on other addresses
   * than loopback only in a trusted network.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined
  /**
   * The path of the metrics.
   * @default '/metrics'
   */
  readonly path?: string | undefined
}

/** The defaults of `ListenOptions`. */
export const listenDefaults: Readonly<{ port: number; host: string; path: string }> = Object.freeze(
  {
    port: 9464,
    host: '127.0.0.1',
    path: '/metrics',
  },
)

/** A listening server. It does not keep the process alive. */
export interface MetricsServer {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function listen(
  handler: MetricsHandler,
  options: ListenOptions,
): Promise<MetricsServer> {
  const { port = listenDefaults.port, host = listenDefaults.host } = options
  const { path = listenDefaults.path } = options
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] === path) {
      void handler(request, response)
      return
    }
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' })
    response.end(`The metrics are at ${path}.\n`)
  })
  await open(server, port, host)
  // Serving metrics does not keep the process alive.
  server.unref()
  const { port: bound } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const authority = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${authority}:${bound}${path}`,
    port: bound,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function open(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refused(error, host, port)))
    server.listen(port, host, resolve)
  })
}

function refused(error: NodeJS.ErrnoException, host: string, port: number): MetricsError {
  return error.code === 'EADDRINUSE'
    ? new MetricsError(
        'METRICS_PORT_TAKEN',
        `${host}:${port} is already in use; choose another port, or 0 for any free port`,
        error,
      )
    : new MetricsError(
        'METRICS_NOT_LISTENING',
        `cannot listen on ${host}:${port}: ${error.message}`,
        error,
      )
}
