/** What is installed in the folders of `bench/peers`, seen from a compiled driver. */
import { createRequire } from 'node:module'

const folders = new URL('../../peers/', import.meta.url)

/** A client of ZooKeeper. */
export function peerModule(name: string): unknown {
  return createRequire(new URL('zookeeper-clients/package.json', folders))(name)
}

/** What a scheduler exports, which has a folder of its own. */
export async function peer<Module>(name: string): Promise<Module> {
  return (await import(new URL(`${name}/module.js`, folders).href)) as Module
}
