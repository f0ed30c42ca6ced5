import { expect, it } from 'vitest'

import { loadPeer } from '../src/peer.ts'

it('loadPeer names a missing package with the command that installs it', async () => {
  const missing = 'no-such-package'
  await expect(loadPeer(missing, () => import(missing))).rejects.toMatchObject({
    name: 'MetricsError',
    code: 'METRICS_PEER_MISSING',
    message: expect.stringContaining('npm install no-such-package') as string,
  })
})

it('loadPeer passes on the error of a package that fails to load', async () => {
  const failure = new SyntaxError('half a file')
  await expect(loadPeer('broken', () => Promise.reject(failure))).rejects.toBe(failure)
})
