import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openAcl, readOnlyAcl } from '../../src/acl/acl-table.ts'
import { PendingView } from '../../src/request/tree-view.ts'
import type { NodeChange } from '../../src/transaction.ts'
import { DataTree } from '../../src/tree/data-tree.ts'

const nobody = { created: () => {}, deleted: () => {}, dataChanged: () => {} }
const paths = ['/', '/a', '/b', '/a/x', '/a/y', '/b/x']

/** The change, if the current tree allows it. */
function possible(tree: DataTree, path: string, kind: NodeChange['kind']): NodeChange | undefined {
  const node = tree.get(path)
  const parent = tree.get(path.slice(0, path.lastIndexOf('/')))
  if (kind === 'create') {
    if (node !== undefined || parent === undefined || path === '/') return undefined
    const parentCreations = parent.creations + 1
    return { kind, path, data: Buffer.from('new'), acl: openAcl, owner: 0n, parentCreations }
  }
  if (node === undefined) return undefined
  if (kind === 'setData') return { kind, path, data: Buffer.from('x'), version: node.version + 1 }
  if (kind === 'setAcl') return { kind, path, acl: readOnlyAcl, version: node.aclVersion + 1 }
  return path === '/' || node.childCount > 0 ? undefined : { kind, path }
}

function look(view: Pick<DataTree, 'get'>): unknown {
  return paths.map((path) => {
    const node = view.get(path)
    if (node === undefined) return undefined
    const { acl, owner, version, aclVersion, creations, childCount, dataLength } = node
    return { acl, owner, version, aclVersion, creations, childCount, dataLength }
  })
}

describe('PendingView', () => {
  it('shows the tree after the recorded changes', () => {
    const kind = fc.constantFrom<NodeChange['kind']>('create', 'delete', 'setData', 'setAcl')
    const step = fc.tuple(fc.constantFrom(...paths), kind)
    fc.assert(
      fc.property(fc.array(step), fc.array(step, { maxLength: 12 }), (before, pending) => {
        const [tree, changed] = [new DataTree(nobody), new DataTree(nobody)]
        for (const [path, what] of before) {
          const change = possible(tree, path, what)
          if (change === undefined) continue
          tree.apply(change, 1, 0)
          changed.apply(change, 1, 0)
        }
        const untouched = look(tree)
        const view = new PendingView(tree)
        for (const [path, what] of pending) {
          const change = possible(changed, path, what)
          if (change === undefined) continue
          changed.apply(change, 2, 0)
          view.record(change)
        }
        expect(look(view as Pick<DataTree, 'get'>)).toEqual(look(changed))
        expect(view.get('')).toEqual(view.get('/'))
        expect(view.usedBytes).toBe(changed.usedBytes)
        expect(view.nodeCount).toBe(changed.nodeCount)
        expect(look(tree)).toEqual(untouched)
      }),
    )
  })
})
