import { conformance, expect, it } from './support.ts'

conformance('exists', () => {
  it('answers the stat of a node', async ({ zk }) => {
    const { stat } = await zk.create('/a', 'data')
    expect(await zk.exists('/a')).toEqual(stat)
  })

  it('answers undefined for a node that is absent', async ({ zk }) => {
    expect(await zk.exists('/missing')).toBeUndefined()
  })

  it('answers undefined below a node that is absent', async ({ zk }) => {
    expect(await zk.exists('/missing/too')).toBeUndefined()
  })

  it('does not take a lost connection for an absent node', async ({ zk }) => {
    await zk.create('/a')
    await zk.close()
    await expect(zk.exists('/a')).rejects.toMatchObject({ code: 'ZK_CLOSED' })
  })

  it('names the session that owns an ephemeral node', async ({ zk, other }) => {
    await zk.create('/a', '', { mode: 'ephemeral' })
    await other.sync()
    expect((await other.exists('/a'))?.ephemeralOwner).toBe(zk.sessionId)
  })

  it('sees what the same client has just written', async ({ zk }) => {
    const created = zk.create('/a')
    const found = zk.exists('/a')
    expect(await found).toEqual((await created).stat)
  })
})
