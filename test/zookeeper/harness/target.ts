import { startEnsemble } from './ensemble.ts'
import { expireSession } from './expire-session.ts'
import { startStandalone } from './standalone.ts'
import type { ZooKeeperOptions } from './zookeeper-config.ts'

/** The servers that must all behave the same to a client. */
export type TargetKind = 'standalone' | 'ensemble' | 'embedded'

/** A server, of whatever kind, that a suite runs against. */
export interface Target {
  readonly kind: TargetKind
  readonly connectString: string
  /** What this kind of server can do at all; tests of the rest are skipped on it. */
  readonly supports: {
    readonly sasl: boolean
    /** Whether a client can go on with its session at another server. */
    readonly failover: boolean
  }
  /** Ends the session on the server while its owner still believes in it. */
  expireSession(sessionId: bigint, password: Uint8Array): Promise<void>
  stop(): Promise<void>
}

/** The same for all kinds, or their answers would differ: session timeouts are negotiated. */
const sessionTimes = { tickTime: 500, minSessionTimeout: 1_000, maxSessionTimeout: 60_000 }

/** Empty containers and nodes past their time to live go within a second, not within a minute. */
const cleanUpInterval = 1_000

const realServerOptions: ZooKeeperOptions = {
  ...sessionTimes,
  properties: { 'znode.container.checkIntervalMs': `${cleanUpInterval}` },
}

export async function startTarget(kind: TargetKind): Promise<Target> {
  const { connectString, stop } = await starters[kind]()
  return {
    kind,
    connectString,
    supports: { sasl: kind !== 'embedded', failover: kind === 'ensemble' },
    expireSession: (sessionId, password) => expireSession(connectString, sessionId, password),
    stop,
  }
}

const starters: Readonly<
  Record<TargetKind, () => Promise<Pick<Target, 'connectString' | 'stop'>>>
> = {
  async standalone() {
    const server = await startStandalone(realServerOptions)
    return { connectString: server.connectString, stop: () => server.stop() }
  },
  async ensemble() {
    const ensemble = await startEnsemble(realServerOptions)
    return { connectString: ensemble.connectString, stop: () => ensemble.stop() }
  },
  async embedded() {
    const embedded = await import('@elasticjob/zookeeper-server')
    const server = await embedded.startServer({
      ...sessionTimes,
      cleanUpInterval,
      port: 0,
      fourLetterWords: ['*'],
    })
    return { connectString: server.connectString, stop: () => server.stop() }
  },
}
