import { MetricsError } from './errors.ts'

/** Loads an optional peer dependency; the error says how to install it. */
export async function loadPeer<Peer>(name: string, load: () => Promise<Peer>): Promise<Peer> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MetricsError(
      'METRICS_PEER_MISSING',
      `${name} is not installed, but these metrics need it: npm install ${name}`,
      error,
    )
  }
}
