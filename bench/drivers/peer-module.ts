import { createRequire } from 'node:module'

/** A client of `bench/peers`, which has a `node_modules` of its own; seen from the compiled driver. */
export function peerModule(name: string): unknown {
  const peers = new URL('../../peers/package.json', import.meta.url)
  return createRequire(peers)(name)
}
