import type { ZooKeeper, ZooKeeperEvents } from '@elasticjob/zookeeper'
import type { TcpProxy } from '../harness/tcp-proxy.ts'
import { next } from './recorder.ts'

/** Takes a client's connection away and lets no new one through; the client knows on return. */
export async function cutOff(client: ZooKeeper, proxy: TcpProxy): Promise<void> {
  const suspended = next(client, 'session:suspended')
  proxy.refuse()
  proxy.dropAll()
  await suspended
}

/** Lets a client that was cut off find its server again; it is connected on return. */
export async function letBack(client: ZooKeeper, proxy: TcpProxy): Promise<void> {
  const reconnected = next(client, 'session:reconnected')
  await proxy.accept()
  await reconnected
}

/** Takes a client's connection away and waits for the next one, in the same session. */
export async function reconnect(client: ZooKeeper, proxy: TcpProxy): Promise<void> {
  const reconnected = next(client, 'session:reconnected')
  proxy.dropAll()
  await reconnected
}

/** Ends a client's session at the server and waits for the one that takes its place. */
export async function renew(
  client: ZooKeeper,
  server: { expireSession(sessionId: bigint, password: Uint8Array): Promise<void> },
): Promise<ZooKeeperEvents['session:renewed'][0]> {
  const renewed = next(client, 'session:renewed')
  await server.expireSession(client.sessionId, client.sessionPassword)
  return renewed
}

/**
 * The same for a client that cannot interfere: one that is connected may win its session back for a
 * moment from whoever takes it over to end it.
 */
export async function renewCutOff(
  client: ZooKeeper,
  proxy: TcpProxy,
  server: { expireSession(sessionId: bigint, password: Uint8Array): Promise<void> },
): Promise<void> {
  await cutOff(client, proxy)
  await server.expireSession(client.sessionId, client.sessionPassword)
  const renewed = next(client, 'session:renewed')
  await proxy.accept()
  await renewed
}
