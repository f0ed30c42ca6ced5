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

/** Nodes that clean up after themselves do so within a second, not within a minute. */
const realServerOptions: ZooKeeperOptions = {
  properties: { 'znode.container.checkIntervalMs': '1000' },
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
    const embedded = await embeddedServer()
    const server = await embedded.startServer({ port: 0 })
    return { connectString: `127.0.0.1:${server.port}`, stop: () => server.close() }
  },
}

/** What is used here of the embedded server's package. */
interface EmbeddedServerModule {
  startServer(options: { readonly port: number }): Promise<{
    readonly port: number
    close(): Promise<void>
  }>
}

async function embeddedServer(): Promise<EmbeddedServerModule> {
  const name: string = '@elasticjob/zookeeper-server'
  return (await import(name)) as EmbeddedServerModule
}
