import { maximumBytes } from '../../packages/core/src/registry/committer.ts'
import { part, read, toText } from '../../packages/core/src/registry/transaction.ts'
import { conformance, expect, it, nodeAt } from './support.ts'

conformance('a transaction', () => {
  it('is carried out as a whole, and each part sees those before it', async ({ client, root }) => {
    const a = `${root}/a`
    const results = await client.transact([
      part.create(a, 'first'),
      part.create(`${a}/b`),
      part.check(`${a}/b`, 0),
      part.set(a, 'second', 0),
      part.delete(`${a}/b`, 0),
      part.set(a, 'third', 1),
    ])
    expect(results.map(({ stat }) => stat?.version)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      undefined,
      2,
    ])
    const node = await nodeAt(client, a)
    expect(node && toText(node.data)).toBe('third')
    expect(await nodeAt(client, `${a}/b`)).toBeUndefined()
  })

  it('changes nothing if one part fails, and names the first that did', async ({
    client,
    root,
  }) => {
    const missing = `${root}/missing`
    const refused = client.transact([
      part.create(`${root}/a`),
      part.set(root, 'changed'),
      part.set(missing, ''),
      part.create(root),
    ])
    await expect(refused).rejects.toMatchObject({
      name: 'RegistryError',
      code: 'REGISTRY_NO_NODE',
      path: missing,
      partIndex: 2,
      outcomeUnknown: false,
    })
    expect(await nodeAt(client, `${root}/a`)).toBeUndefined()
    expect((await nodeAt(client, root))?.stat.version).toBe(0)
  })

  it.for([
    ['REGISTRY_NODE_EXISTS', 'a node is created that exists', part.create('/a')],
    ['REGISTRY_NO_NODE', 'a node is created below one that does not exist', part.create('/x/y')],
    ['REGISTRY_NO_NODE', 'a node is deleted that does not exist', part.delete('/x')],
    ['REGISTRY_NO_NODE', 'a node is checked that does not exist', part.check('/x')],
    ['REGISTRY_BAD_VERSION', 'a node is set that has another version', part.set('/a', '', 1)],
    ['REGISTRY_BAD_VERSION', 'a node is deleted that has another version', part.delete('/a', 1)],
    ['REGISTRY_BAD_VERSION', 'a node is checked that has another version', part.check('/a', 1)],
    ['REGISTRY_NOT_EMPTY', 'a node is deleted that has children', part.delete('/a')],
  ] as const)('rejects with %s if %s', async ([code, , wrong], { client, root }) => {
    await client.transact([part.create(`${root}/a`), part.create(`${root}/a/b`)])
    const path = root + wrong.path
    const refused = client.transact([{ ...wrong, path }])
    await expect(refused).rejects.toMatchObject({ code, path, partIndex: 0 })
  })

  it('has a greater id than each that was answered before it was sent', async ({
    client,
    other,
    root,
  }) => {
    const a = `${root}/a`
    await client.transact([part.create(a)])
    await other.catchUp()
    let last = (await nodeAt(client, a))?.stat.czxid ?? 0n
    for (const [writer, version] of [
      [other, 0],
      [client, 1],
      [other, 2],
    ] as const) {
      const [result] = await writer.transact([part.set(a, '', version)])
      expect(result?.stat?.mzxid).toBeGreaterThan(last)
      last = result?.stat?.mzxid ?? 0n
      expect(writer.lastZxid).toBeGreaterThanOrEqual(last)
    }
  })

  it('is the one of which the stats of its nodes tell', async ({ client, root }) => {
    const a = `${root}/a`
    await client.transact([part.create(a), part.create(`${root}/b`)])
    const first = await nodeAt(client, a)
    expect((await nodeAt(client, `${root}/b`))?.stat.czxid).toBe(first?.stat.czxid)
    expect((await nodeAt(client, root))?.stat.pzxid).toBe(first?.stat.czxid)
    expect(first?.stat.mzxid).toBe(first?.stat.czxid)
    await client.transact([part.set(a, '')])
    await client.transact([part.delete(a)])
    await client.transact([part.create(a)])
    const second = await nodeAt(client, a)
    expect(second?.stat.version).toBe(0)
    expect(second?.stat.czxid).toBeGreaterThan(first?.stat.czxid ?? 0n)
    expect((await nodeAt(client, root))?.stat.pzxid).toBe(second?.stat.czxid)
  })

  it('of two that change the same version wins one', async ({ client, other, root }) => {
    const counter = `${root}/counter`
    await client.transact([part.create(counter)])
    await other.catchUp()
    let won = 0
    const count = async (writer: typeof client): Promise<void> => {
      for (let attempt = 0; attempt < 20; attempt++) {
        const version = (await nodeAt(writer, counter))?.stat.version ?? 0
        await writer.transact([part.check(root), part.set(counter, '', version)]).then(
          () => (won += 1),
          (error: unknown) => expect(error).toMatchObject({ code: 'REGISTRY_BAD_VERSION' }),
        )
      }
    }
    await Promise.all([count(client), count(other)])
    await client.catchUp()
    expect((await nodeAt(client, counter))?.stat.version).toBe(won)
  })

  it('may be as large as core makes one', async ({ client, root }) => {
    const text = 'x'.repeat(maximumBytes / 8 - 200)
    const parts = Array.from({ length: 8 }, (_, n) => part.create(`${root}/${n}`, text))
    await client.transact(parts)
    const [listed] = await client.read([read.children(root)])
    expect(listed).toMatchObject({ children: { length: 8 } })
  })

  it('creates a node with its missing ancestors, and no node twice', async ({ client, root }) => {
    const deep = `${root}/a/b/c`
    await expect(client.create(deep)).rejects.toMatchObject({ code: 'REGISTRY_NO_NODE' })
    const stat = await client.create(deep, { parents: true })
    expect((await nodeAt(client, `${root}/a`))?.stat.czxid).toBe(stat.czxid)
    await expect(client.create(deep, { parents: true })).rejects.toMatchObject({
      code: 'REGISTRY_NODE_EXISTS',
    })
  })
})
