/** A console with its own port. */
import type { AddressInfo } from 'node:net'

import { createAdaptorServer, type ServerType } from '@hono/node-server'

import { consoleDefaults, type ListenOptions } from './console-options.ts'
import { createConsole } from './console.ts'

/** A console that listens. */
export interface RunningConsole extends AsyncDisposable {
  /** The URL of the page. */
  readonly url: string
  readonly port: number
  /** Stops the console: active requests are answered, streams are closed. */
  stop(): Promise<void>
}

/** How long a client may take to send its request, in milliseconds. */
const requestTimeout = 30_000

/**
 * ```ts
 * const running = await startConsole({ registries: [{ name: 'shop', servers, namespace: 'shop' }] })
 * console.log(running.url)
 * ```
 */
export async function startConsole(options: ListenOptions = {}): Promise<RunningConsole> {
  const { port = consoleDefaults.port, host = consoleDefaults.host } = options
  const tell = options.tell ?? ((line: string): void => void process.stdout.write(`${line}\n`))
  const allowedHosts = [host, ...(options.allowedHosts ?? [])]
  const served = await createConsole({ ...options, allowedHosts })
  let server: ServerType
  try {
    server = await listen(served.fetch, host, port)
  } catch (error) {
    await served.stop()
    throw error
  }
  const address = server.address() as AddressInfo
  const { basePath } = served
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${basePath}`
  for (const [username, password] of served.newPasswords) {
    tell(
      `The password of ${username} is ${password}  (shown once: keep it, or change it in the page)`,
    )
  }
  if (!isLoopback(host)) tell(openWarning(host, options))
  tell(`Console: ${url}`)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= end())
  return { url, port: address.port, stop, [Symbol.asyncDispose]: stop }

  async function end(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await served.stop()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await closed
  }
}

function listen(
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
  hostname: string,
  port: number,
): Promise<ServerType> {
  const server = createAdaptorServer({ fetch, serverOptions: { requestTimeout } })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function openWarning(host: string, { trustProxy = false }: ListenOptions): string {
  const what = `WARNING: the console listens on ${host}, which other machines can reach`
  return trustProxy
    ? `${what}; make sure that no client can reach it around the proxy.`
    : `${what}, without TLS: passwords are sent in clear text. Put a proxy with TLS in front of it.`
}
