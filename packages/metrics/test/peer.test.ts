import { expect, it } from 'vitest'

import { loadPeer } from '../src/peer.ts'

it('a package that is not installed is named, with the command that installs it', async () => {
  const missing = 'no-such-package'
  await expect(loadPeer(missing, () => import(missing))).rejects.toMatchObject({
    name: 'MetricsError',
    code: 'METRICS_PEER_MISSING',
    message: expect.stringContaining('npm install no-such-package') as string,
  })
})

it('a package that fails to load says so itself', async () => {
  const failure = new SyntaxError('half a file')
  await expect(loadPeer('broken', () => Promise.reject(failure))).rejects.toBe(failure)
})
