import { describe, expect, it } from 'vitest'
import { openAcl, readOnlyAcl } from '../../src/acl/acl-table.ts'
import type { NodeChange } from '../../src/transaction.ts'
import { DataTree } from '../../src/tree/data-tree.ts'
import { containerOwner, ttlOwner } from '../../src/tree/owner.ts'

const told: string[] = []
const observer = {
  created: (path: string) => void told.push(`created ${path}`),
  deleted: (path: string) => void told.push(`deleted ${path}`),
  dataChanged: (path: string) => void told.push(`changed ${path}`),
}
const create = (path: string, owner = 0n, parentCreations = 1): NodeChange => ({
  kind: 'create',
  path,
  data: Buffer.from('12345'),
  acl: openAcl,
  owner,
  parentCreations,
})
const remove = (path: string): NodeChange => ({ kind: 'delete', path })

function treeOf(...changes: NodeChange[]): DataTree {
  const tree = new DataTree(observer)
  told.length = 0
  for (const [index, change] of changes.entries()) tree.apply(change, index + 1, 1_000)
  return tree
}

describe('DataTree', () => {
  it('starts with the system nodes', () => {
    const tree = treeOf()
    expect(tree.nodeCount).toBe(5)
    expect([...(tree.get('/')?.children ?? [])]).toEqual(['zookeeper'])
    expect(tree.get('')).toBe(tree.get('/'))
    expect(tree.get('/zookeeper/config')?.acl).toEqual(readOnlyAcl)
  })

  it('notifies its observer of each change', () => {
    treeOf(create('/a'), { kind: 'setData', path: '/a', data: null, version: 1 }, remove('/a'))
    expect(told).toEqual(['created /a', 'changed /a', 'deleted /a'])
  })

  it('counts the bytes of paths and data', () => {
    const empty = treeOf().dataSize
    expect(treeOf(create('/a')).dataSize).toBe(empty + 7)
    const shrunk = { kind: 'setData', path: '/a', data: Buffer.from('1'), version: 1 } as const
    expect(treeOf(create('/a'), shrunk).dataSize).toBe(empty + 3)
    expect(treeOf(create('/a'), remove('/a')).dataSize).toBe(empty)
  })

  it('indexes ephemeral nodes by session', () => {
    const tree = treeOf(create('/e', 7n), create('/c', containerOwner), create('/t', ttlOwner(5n)))
    expect([...tree.ephemeralsOf(7n)]).toEqual(['/e'])
    expect([...tree.containers]).toEqual(['/c'])
    expect([...tree.ttls]).toEqual(['/t'])
    expect(tree.ephemeralCount).toBe(1)
    for (const path of ['/e', '/c', '/t']) tree.apply(remove(path), 9, 1_000)
    expect([tree.ephemerals.size, tree.containers.size, tree.ttls.size]).toEqual([0, 0, 0])
    expect(tree.ephemeralCount).toBe(0)
  })

  it('ignores changes that it already contains', () => {
    const tree = treeOf(create('/a'), remove('/a'), create('/a', 0n, 2))
    told.length = 0
    tree.apply(create('/a'), 1, 1_000)
    tree.apply({ kind: 'setData', path: '/a', data: null, version: 9 }, 2, 1_000)
    tree.apply({ kind: 'setAcl', path: '/a', acl: readOnlyAcl, version: 9 }, 2, 1_000)
    tree.apply(remove('/a'), 2, 1_000)
    tree.apply(remove('/none'), 3, 1_000)
    expect(told).toEqual([])
    expect(tree.get('/a')).toMatchObject({ czxid: 3, version: 0, aclVersion: 0, acl: openAcl })
    expect(tree.get('/')).toMatchObject({ creations: 2, pzxid: 3 })
  })

  it('walks a tree deeper than the stack', () => {
    const tree = treeOf()
    let path = ''
    for (let depth = 1; depth <= 5_000; depth++) {
      path += '/d'
      tree.apply(create(path), depth, 1_000)
    }
    expect(tree.countDescendants('/d')).toBe(4_999)
  })

  it('refuses a snapshot node without its parent', () => {
    const node = [...treeOf(create('/a')).snapshot()].find(({ path }) => path === '/a')
    const orphan = { ...node, path: '/none/a' } as Parameters<DataTree['load']>[0]
    expect(() => treeOf().load(orphan)).toThrow('a node without its parent: /none/a')
  })
})
