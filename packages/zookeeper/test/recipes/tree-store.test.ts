import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { childOf, isWithin, parentOf } from '../../src/paths.ts'
import { TreeStore } from '../../src/recipes/tree-store.ts'
import { statWith } from '../support/stats.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const node = (mzxid: bigint, data = ''): Parameters<TreeStore['put']>[1] => ({
  data: bytes(data),
  stat: statWith({ mzxid }),
})

describe('TreeStore', () => {
  it('put() distinguishes a new, a changed and an unchanged node', () => {
    const store = new TreeStore('/root')
    expect(store.put('/root', node(1n, 'a'))).toBe('created')
    expect(store.put('/root', node(1n, 'a'))).toBe('unchanged')
    expect(store.put('/root', node(2n, 'b'))).toBe('changed')
    expect(Buffer.from(store.get('/root')?.data ?? []).toString()).toBe('b')
  })

  it('put() updates the stat of a node when only its children changed', () => {
    const store = new TreeStore('/root')
    store.put('/root', { data: bytes(''), stat: statWith({ pzxid: 1n, numChildren: 0 }) })
    const outcome = store.put('/root', {
      data: bytes(''),
      stat: statWith({ pzxid: 2n, numChildren: 1 }),
    })
    expect(outcome).toBe('unchanged')
    expect(store.stat('/root')).toMatchObject({ pzxid: 2n, numChildren: 1 })
  })

  it('put() stores nothing when the parent is absent', () => {
    const store = new TreeStore('/root')
    expect(store.put('/root/a', node(1n))).toBe('orphaned')
    expect(store.size).toBe(0)
    expect(store.has('/root/a')).toBe(false)
  })

  it('remove() returns children before parents', () => {
    const store = new TreeStore('/')
    for (const path of ['/', '/a', '/a/b', '/a/b/c', '/d']) store.put(path, node(1n))
    expect(store.remove('/a')).toEqual(['/a/b/c', '/a/b', '/a'])
    expect(store.remove('/a')).toEqual([])
    expect([...store.paths()]).toEqual(['/', '/d'])
    expect(store.remove('/')).toEqual(['/d', '/'])
    expect(store.size).toBe(0)
  })

  const names = fc.constantFrom('a', 'b', 'ab', 'é')
  for (const root of ['/', '/root', '/deep/root']) {
    it(`equals a map of paths after random operations (root ${root})`, () => {
      const paths = fc
        .array(names, { maxLength: 3 })
        .map((found) => found.reduce((path, name) => childOf(path, name), root))
      const actions = fc.array(
        fc.oneof(
          { weight: 3, arbitrary: fc.record({ put: paths, zxid: fc.nat(5) }) },
          { weight: 1, arbitrary: fc.record({ remove: paths }) },
        ),
        { maxLength: 100 },
      )
      fc.assert(
        fc.property(actions, (script) => {
          const store = new TreeStore(root)
          const model = new Map<string, number>()
          for (const action of script) {
            const isRight =
              'put' in action
                ? put(store, model, root, action)
                : remove(store, model, action.remove)
            expect(isRight).toBe(true)
          }
          expectSame(store, model)
        }),
      )
    })
  }

  it('keeps all content when it compacts', () => {
    const large = 300_000
    const actions = fc.array(
      fc.oneof(
        { weight: 2, arbitrary: fc.record({ put: fc.nat(30), fill: fc.nat(255) }) },
        { weight: 1, arbitrary: fc.record({ remove: fc.nat(30) }) },
      ),
      { minLength: 60, maxLength: 200 },
    )
    fc.assert(
      fc.property(actions, (script) => {
        const store = new TreeStore('/')
        store.put('/', node(0n))
        const model = new Map<string, number>()
        for (const [step, action] of script.entries()) {
          if ('put' in action) {
            const path = `/n${action.put}`
            const data = Buffer.alloc(large, action.fill)
            store.put(path, { data, stat: statWith({ mzxid: BigInt(step + 1) }) })
            model.set(path, action.fill)
          } else {
            store.remove(`/n${action.remove}`)
            model.delete(`/n${action.remove}`)
          }
        }
        expect(store.size).toBe(model.size + 1)
        for (const [path, fill] of model) {
          expect(Buffer.alloc(large, fill).equals(store.get(path)?.data ?? bytes(''))).toBe(true)
        }
      }),
      { numRuns: 10 },
    )
  })
})

/** Puts a node into both, and returns whether the store's result equals the model's. */
function put(
  store: TreeStore,
  model: Map<string, number>,
  root: string,
  { put: path, zxid }: { put: string; zxid: number },
): boolean {
  const outcome = store.put(path, node(BigInt(zxid), `${zxid}`))
  if (path !== root && !model.has(parentOf(path))) return outcome === 'orphaned'
  const before = model.get(path)
  model.set(path, zxid)
  if (before === undefined) return outcome === 'created'
  return outcome === (before === zxid ? 'unchanged' : 'changed')
}

function remove(store: TreeStore, model: Map<string, number>, path: string): boolean {
  const expected = [...model.keys()].filter((other) => isWithin(other, path))
  const removed = store.remove(path)
  for (const gone of expected) model.delete(gone)
  return removed.toSorted().join() === expected.toSorted().join()
}

function expectSame(store: TreeStore, model: Map<string, number>): void {
  expect(store.size).toBe(model.size)
  expect([...store.paths()].toSorted()).toEqual([...model.keys()].toSorted())
  for (const [path, zxid] of model) {
    expect(store.has(path)).toBe(true)
    expect(Buffer.from(store.get(path)?.data ?? []).toString()).toBe(`${zxid}`)
    expect(store.zxids(path)?.mzxid).toBe(BigInt(zxid))
    const children = [...model.keys()].filter((other) => other !== '/' && parentOf(other) === path)
    const found = store.children(path)?.map((name) => childOf(path, name))
    expect(found?.toSorted()).toEqual(children.toSorted())
  }
}
