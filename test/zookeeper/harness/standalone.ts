import type { ZooKeeperOptions } from './zookeeper-config.ts'
import { ZooKeeperProcess } from './zookeeper-process.ts'

/** A single real server that serves when this resolves. */
export async function startStandalone(options: ZooKeeperOptions = {}): Promise<ZooKeeperProcess> {
  const server = await ZooKeeperProcess.create(options)
  try {
    await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}
