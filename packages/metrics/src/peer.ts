import { MetricsError } from './errors.ts'

/** Loads a package that is there only if whoever uses this one wants it. */
export async function loadPeer<Peer>(name: string, load: () => Promise<Peer>): Promise<Peer> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new MetricsError(
      'METRICS_PEER_MISSING',
      `${name} is not installed; these figures need it: npm install ${name}`,
      error,
    )
  }
}
