/** An embedded server that speaks ZooKeeper's protocol: for development, tests and one machine. */
import { RunningServer } from './running-server.ts'
import type { ServerOptions } from './server-options.ts'

export { coreDefaults, type CoreOptions } from './core-options.ts'
export type { ServerEvents } from './events.ts'
export { fourLetterWords } from './four-letter/answer.ts'
export { limitDefaults, type Limits, serverDefaults, type ServerOptions } from './server-options.ts'
export type { RunningServer }

/**
 * Starts a server.
 *
 * @example
 * await using server = await startServer({ port: 0 })
 * const client = await ZooKeeper.connect(server.connectString)
 */
export function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  return RunningServer.start(options)
}
