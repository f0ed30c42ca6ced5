/** The console of `elasticjob dev`, for the lifetime of the cluster. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface DevConsole extends AsyncDisposable {
  /** The address and the logins. */
  readonly lines: readonly string[]
}

/** The console's port since 1.x; another one if it is in use. */
const usualPort = 8899

export async function openDevConsole(
  registry: { readonly servers: string; readonly namespace: string },
  history: string,
): Promise<DevConsole> {
  // Loaded lazily: no other command needs it, and it would delay their start.
  const { startConsole } = await import('@elasticjob/console')
  const lines: string[] = []
  const start = (port: number): ReturnType<typeof startConsole> =>
    startConsole({
      port,
      registries: [{ ...registry, name: registry.namespace }],
      dataSources: [{ name: 'history', url: history }],
      directory: false,
      tell: (line) => lines.push(line),
    })
  const running = await start(usualPort).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return start(0)
  })
  return { lines, [Symbol.asyncDispose]: () => running.stop() }
}

/** A temporary folder for the history of the workers, removed with the cluster. */
export async function historyFolder(): Promise<{ readonly url: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'elasticjob-dev-'))
  return {
    url: `sqlite:${join(folder, 'history.db')}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
