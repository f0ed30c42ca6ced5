import type { RegistryClient, TreeCopy } from '../../packages/core/src/registry/registry-client.ts'
import { RegistryError } from '../../packages/core/src/registry/registry-error.ts'
import { part, toText } from '../../packages/core/src/registry/transaction.ts'
import { Recorder } from '../zookeeper/conformance/recorder.ts'
import { conformance, expect, it } from './support.ts'

async function follow(
  client: RegistryClient,
  root: string,
): Promise<{ copy: TreeCopy; events: Recorder<string> }> {
  const copy = client.copyOf(root)
  await copy.start()
  const events = new Recorder<string>()
  copy.follow({
    touched: (path) => events.record(`touched ${path.slice(root.length)}`),
    stale: () => events.record('stale'),
    current: () => events.record('current'),
  })
  return { copy, events }
}

conformance('a copy of a subtree', () => {
  it('shows what it has read, and then what changes', async ({ client, other, root }) => {
    await client.transact([part.create(`${root}/a`, 'one'), part.create(`${root}/a/b`)])
    const { copy, events } = await follow(client, root)
    expect(copy.freshness.state).toBe('current')
    expect(copy.size).toBe(3)
    expect(copy.children(`${root}/a`)).toEqual(['b'])
    await other.transact([part.set(`${root}/a`, 'two'), part.delete(`${root}/a/b`)])
    expect((await events.atLeast(2)).toSorted()).toEqual(['touched /a', 'touched /a/b'])
    const node = copy.get(`${root}/a`)
    expect(node && toText(node.data)).toBe('two')
    expect(copy.has(`${root}/a/b`)).toBe(false)
    await copy.stop()
  })

  it('answers nothing before it has been read, and after it was stopped', async ({
    client,
    root,
  }) => {
    const copy = client.copyOf(root)
    const asks = [
      (): unknown => copy.get(root),
      (): unknown => copy.children(root),
      (): unknown => copy.has(root),
      (): unknown => copy.size,
    ]
    for (const ask of asks) expect(ask).toThrow(RegistryError)
    await copy.start()
    for (const ask of asks) expect(ask).not.toThrow()
    await copy.stop()
    for (const ask of asks) expect(ask).toThrow(RegistryError)
  })

  it('shows when it has settled what was written through the same client', async ({
    client,
    root,
  }) => {
    const { copy } = await follow(client, root)
    for (const text of ['one', 'two', 'three']) {
      await client.transact([part.set(root, text)])
      await copy.settled()
      const node = copy.get(root)
      expect(node && toText(node.data)).toBe(text)
    }
    await copy.stop()
  })

  it('is stale without a connection, and current again with what happened meanwhile', async ({
    client,
    tested,
    other,
    root,
  }) => {
    const { copy, events } = await follow(client, root)
    await tested.cut()
    expect(await events.first()).toBe('stale')
    await other.transact([part.create(`${root}/missed`)])
    await tested.restore()
    expect((await events.atLeast(3)).slice(1)).toEqual(['touched /missed', 'current'])
    expect(copy.has(`${root}/missed`)).toBe(true)
    await copy.stop()
  })
})
