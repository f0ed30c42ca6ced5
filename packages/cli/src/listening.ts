/** Explains why a server cannot listen. */
import { CommandError } from './errors.ts'

const causes = new Set(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

export async function listening<T>(
  { port, host = '127.0.0.1' }: { readonly port: number; readonly host?: string },
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new CommandError(
        'CLI_FAILED',
        `port ${port} on ${host} is already in use, possibly by another ZooKeeper server.\n` +
          'Choose another port with --port; 0 selects any free port.',
        error,
      )
    }
    if (!causes.has(code)) throw error
    throw new CommandError('CLI_FAILED', `cannot listen on ${host}:${port}: ${message}`, error)
  }
}
