import { startServer } from '../../src/index.ts'
import { insides, type RunningServer } from '../../src/running-server.ts'
import { type Faults, faultsOf } from '../../src/testing.ts'
import { ManualClock } from './manual-clock.ts'
import { settings, type SteerableServer } from './steerable-server.ts'

const cleanUpInterval = 1

/** The embedded server. */
export class EmbeddedServer implements SteerableServer {
  readonly name = 'embedded'
  readonly #server: RunningServer
  readonly #clock: ManualClock
  readonly #faults: Faults

  private constructor(server: RunningServer, clock: ManualClock) {
    this.#server = server
    this.#clock = clock
    this.#faults = faultsOf(server)
  }

  static async start(): Promise<EmbeddedServer> {
    const clock = new ManualClock()
    const { minSessionTimeout, maxSessionTimeout, tickTime, superDigest } = settings
    const server = await startServer({
      port: 0,
      clock,
      cleanUpInterval,
      minSessionTimeout,
      maxSessionTimeout,
      tickTime,
      superDigest,
      enforceQuota: true,
    })
    return new EmbeddedServer(server, clock)
  }

  get port(): number {
    return this.#server.port
  }

  /** The paths of all nodes, parents first. */
  get paths(): string[] {
    const tree = insides.get(this.#server)?.core.state.tree
    return Array.from(tree?.snapshot() ?? [], ({ path }) => path)
  }

  async expire(sessionId: bigint): Promise<void> {
    this.#faults.expireSession(sessionId)
  }

  async drop(sessionId: bigint): Promise<void> {
    this.#faults.dropConnection(sessionId)
  }

  async cleanUp(): Promise<void> {
    this.#clock.advance(cleanUpInterval)
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}
