import { part } from '@elasticjob/zookeeper'

import { conformance, expect, it } from './support.ts'

conformance('requests', () => {
  it('are carried out in the order in which they were made', async ({ zk }) => {
    const [, afterCreate, , afterMulti, , afterDelete] = await Promise.all([
      zk.create('/a', '', { mode: 'ephemeral' }),
      zk.exists('/a'),
      zk.multi([part.create('/b', '', { mode: 'ephemeral' }), part.set('/b', 'set')]),
      zk.exists('/b'),
      zk.multi([part.delete('/a')]),
      zk.exists('/a'),
    ])
    expect(afterCreate?.ephemeralOwner).toBe(zk.sessionId)
    expect(afterMulti?.version).toBe(1)
    expect(afterDelete).toBeUndefined()
  })
})
