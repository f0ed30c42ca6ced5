import { part, read } from '../../packages/core/src/registry/transaction.ts'
import { conformance, expect, it, nodeAt } from './support.ts'

conformance('a read', () => {
  it('answers each of its parts, and tells a node that does not exist from one that is unknown', async ({
    client,
    root,
  }) => {
    await client.transact([part.create(`${root}/a`, 'text'), part.create(`${root}/a/b`)])
    const [content, names, none, missing] = await client.read([
      read.get(`${root}/a`),
      read.children(`${root}/a`),
      read.children(`${root}/a/b`),
      read.get(`${root}/x`),
    ])
    expect(content).toMatchObject({ data: Buffer.from('text'), stat: { version: 0 } })
    expect(names).toEqual({ children: ['b'] })
    expect(none).toEqual({ children: [] })
    expect(missing).toMatchObject({ error: { name: 'RegistryError', code: 'REGISTRY_NO_NODE' } })
  })

  it('is answered in the order of the requests', async ({ client, root }) => {
    const order: string[] = []
    const answers: Promise<unknown>[] = []
    for (let version = 0; version < 20; version++) {
      const written = client.transact([part.set(root, '', version)])
      answers.push(written.then(() => order.push(`set ${version + 1}`)))
      answers.push(nodeAt(client, root).then((node) => order.push(`get ${node?.stat.version}`)))
    }
    await Promise.all(answers)
    const versions = Array.from({ length: 20 }, (_, index) => index + 1)
    const gets = order.filter((one) => one.startsWith('get'))
    const sets = order.filter((one) => one.startsWith('set'))
    expect(gets).toEqual(versions.map((version) => `get ${version}`))
    expect(sets).toEqual(versions.map((version) => `set ${version}`))
  })

  it('shows after catchUp whatever another client was answered before', async ({
    client,
    other,
    root,
  }) => {
    for (let version = 1; version <= 20; version++) {
      await other.transact([part.set(root, '')])
      await client.catchUp()
      expect((await nodeAt(client, root))?.stat.version).toBe(version)
    }
  })

  it('never goes back behind what this client has seen', async ({ client, other, root }) => {
    const writes = Array.from({ length: 50 }, () => other.transact([part.set(root, '')]))
    const seen: number[] = []
    for (let reads = 0; reads < 50; reads++) {
      seen.push((await nodeAt(client, root))?.stat.version ?? -1)
    }
    await Promise.all(writes)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it('waits for a connection, or fails at once, as it was told', async ({
    client,
    tested,
    root,
  }) => {
    await tested.cut()
    const failing = client.read([read.get(root)], { whileDisconnected: 'fail' })
    await expect(failing).rejects.toMatchObject({
      code: 'REGISTRY_NOT_CONNECTED',
      outcomeUnknown: false,
    })
    const waiting = nodeAt(client, root)
    await tested.restore()
    expect(await waiting).toBeDefined()
  })
})
