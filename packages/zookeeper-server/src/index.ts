/** An embedded server that speaks ZooKeeper's protocol: for development, tests and one machine. */
import { openDataDirectory } from './persistence/open.ts'
import { RunningServer } from './running-server.ts'
import type { ServerOptions } from './server-options.ts'
import { warnOfQuota } from './warnings.ts'

export { coreDefaults, type CoreOptions } from './core-options.ts'
export { DataDirectoryError, type DataDirectoryErrorCode, errorCodes } from './errors.ts'
export type { ServerEvents } from './events.ts'
export { fourLetterWords } from './four-letter/answer.ts'
export { dataDirectoryDefaults, type DataDirectoryOptions } from './persistence/options.ts'
export { limitDefaults, type Limits, serverDefaults, type ServerOptions } from './server-options.ts'
export type { RunningServer }

/**
 * Starts a server.
 *
 * @example
 * await using server = await startServer({ port: 0 })
 * const client = await ZooKeeper.connect({ servers: server.connectString })
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { dataDir } = options
  const directory =
    dataDir === undefined ? undefined : openDataDirectory(dataDir, options, options.random)
  const server = await RunningServer.start(options, directory)
  warnOfQuota(server.events)
  if (directory === undefined) return server
  directory.events.on('snapshot:taken', (taken) => server.events.emit('snapshot:taken', taken))
  directory.events.on('snapshot:failed', (failed) => server.events.emit('snapshot:failed', failed))
  return server
}
