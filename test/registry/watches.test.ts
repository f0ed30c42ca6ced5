import type { WatchEvent } from '../../packages/core/src/registry/registry-client.ts'
import { part, read } from '../../packages/core/src/registry/transaction.ts'
import { Recorder } from '../zookeeper/conformance/recorder.ts'
import { conformance, expect, it, next, nodeAt, renew } from './support.ts'

const told = ({ type, path }: WatchEvent): string => `${type} ${path.slice(path.indexOf('/', 1))}`

conformance('a watch', () => {
  it('tells of everything below its node, in the order of transactions and of their parts', async ({
    client,
    other,
    root,
  }) => {
    const events = new Recorder<string>()
    await client.watch(root, 'recursive', (event) => events.record(told(event)))
    const [a, b] = [`${root}/a`, `${root}/a/b`]
    await other.transact([part.create(a), part.create(b), part.set(a, '1')])
    await other.transact([part.set(b, '1'), part.delete(b)])
    await other.transact([part.delete(a)])
    expect(await events.atLeast(6)).toEqual([
      'created /a',
      'created /a/b',
      'dataChanged /a',
      'dataChanged /a/b',
      'deleted /a/b',
      'deleted /a',
    ])
  })

  it('on a node alone tells of nothing below it, and needs no node', async ({
    client,
    other,
    root,
  }) => {
    const events = new Recorder<string>()
    const a = `${root}/a`
    await client.watch(a, 'persistent', (event) => events.record(told(event)))
    await other.transact([part.create(a), part.create(`${a}/b`), part.set(`${a}/b`, '1')])
    await other.transact([part.set(a, '1')])
    expect(await events.atLeast(2)).toEqual(['created /a', 'dataChanged /a'])
  })

  it('tells of a change before any answer that shows it, and after every answer that does not', async ({
    client,
    other,
    root,
  }) => {
    let events = 0
    await client.watch(root, 'recursive', () => (events += 1))
    const start = (await nodeAt(client, root))?.stat.version ?? 0
    const writes = Array.from({ length: 100 }, () => other.transact([part.set(root, '')]))
    const answers = Array.from({ length: 300 }, async (_, index) => {
      if (index % 3 === 0) await nodeAt(client, root)
      let heard = -1
      const onAnswer = (): void => {
        heard = events
      }
      const [result] = await client.read([read.get(root)], { onAnswer })
      const shown = result !== undefined && 'stat' in result ? result.stat.version - start : -2
      return { heard, shown }
    })
    const wrong = (await Promise.all(answers)).filter(({ heard, shown }) => heard !== shown)
    expect(wrong).toEqual([])
    await Promise.all(writes)
  })

  it('outlives a lost connection, and says nothing of what happened meanwhile', async ({
    client,
    tested,
    other,
    root,
  }) => {
    const events = new Recorder<string>()
    await client.watch(root, 'recursive', (event) => events.record(told(event)))
    await tested.cut()
    await other.transact([part.create(`${root}/missed`)])
    const reconnected = next(client, 'session:reconnected')
    await tested.restore()
    await reconnected
    await client.catchUp()
    expect(await nodeAt(client, `${root}/missed`)).toBeDefined()
    await other.transact([part.create(`${root}/heard`)])
    expect(await events.first()).toBe('created /heard')
  })

  it('goes on in a renewed session', async ({ client, tested, other, root }) => {
    const events = new Recorder<string>()
    await client.watch(root, 'recursive', (event) => events.record(told(event)))
    await renew(tested)
    await client.catchUp()
    await other.transact([part.create(`${root}/heard`)])
    expect(await events.first()).toBe('created /heard')
  })

  it('tells of nothing once it is removed', async ({ client, other, root }) => {
    const events = new Recorder<string>()
    const watch = await client.watch(root, 'recursive', (event) => events.record(told(event)))
    await watch.remove()
    await other.transact([part.create(`${root}/a`)])
    await client.catchUp()
    expect(await nodeAt(client, `${root}/a`)).toBeDefined()
    expect(events.seen).toEqual([])
  })
})
