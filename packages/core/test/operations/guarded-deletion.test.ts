import { describe, expect, it } from 'vitest'

import { deleteGuarded } from '../../src/operations/guarded-deletion.ts'
import type { OperatorRegistry } from '../../src/operations/operator-registry.ts'
import { bytesOf, maximumBytes } from '../../src/registry/committer.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { TransactionPart } from '../../src/registry/transaction.ts'
import { TreeServer } from '../tree-server.ts'

const guard = '/guard'
const root = '/job'
/** Too many for one transaction: a deletion takes more than twenty thousand bytes. */
const nodes = 60
const nameOf = (n: number): string => `${'x'.repeat(20_000)}-${n}`

/** The registry of an operator on a tree; `afterCommit` runs when a transaction has been carried out. */
class TreeRegistry {
  readonly tree = new TreeServer()
  readonly sent: (readonly TransactionPart[])[] = []
  afterCommit: (count: number) => void = () => {}

  constructor() {
    this.tree.put(guard)
    for (let n = 0; n < nodes; n++) this.tree.put(`${root}/${nameOf(n)}`)
  }

  get registry(): OperatorRegistry {
    const { tree } = this
    const reader = {
      children: (path: string) =>
        Promise.resolve(tree.get(path) === undefined ? undefined : tree.children(path)),
    }
    const registry = { reader, commit: (parts: readonly TransactionPart[]) => this.#commit(parts) }
    return registry as unknown as OperatorRegistry
  }

  get left(): number {
    return this.tree.paths.filter((path) => path.startsWith(`${root}/`)).length
  }

  #commit(parts: readonly TransactionPart[]): Promise<void> {
    this.sent.push(parts)
    const failed = parts.find(({ path }) => this.tree.get(path) === undefined)
    if (failed !== undefined) {
      const details = { path: failed.path, partIndex: parts.indexOf(failed) }
      return Promise.reject(new RegistryError('REGISTRY_NO_NODE', 'no node', details))
    }
    for (const { type, path } of parts) if (type === 'delete') this.tree.drop(path)
    this.afterCommit(this.sent.length)
    return Promise.resolve()
  }
}

describe('deleteGuarded with more nodes than one transaction holds', () => {
  it('deletes the whole tree in several transactions, each behind the guard', async () => {
    const operator = new TreeRegistry()
    await deleteGuarded(operator.registry, root, guard)
    expect(operator.left).toBe(0)
    expect(operator.tree.get(root)).toBeUndefined()
    expect(operator.tree.get(guard)).toBeDefined()
    expect(operator.sent.length).toBeGreaterThan(2)
    for (const parts of operator.sent) {
      expect(parts[0]).toMatchObject({ type: 'check', path: guard })
      expect(parts.filter(({ type }) => type === 'delete')).toHaveLength(parts.length - 1)
      expect(bytesOf(parts)).toBeLessThanOrEqual(maximumBytes)
    }
    expect(operator.sent.flat().filter(({ path }) => path !== guard)).toHaveLength(nodes + 1)
  })

  it('deletes nothing more when the guard vanishes between two transactions', async () => {
    const operator = new TreeRegistry()
    let left = 0
    operator.afterCommit = (count) => {
      if (count !== 1) return
      operator.tree.drop(guard)
      left = operator.left
    }
    await expect(deleteGuarded(operator.registry, root, guard)).rejects.toMatchObject({
      code: 'REGISTRY_NO_NODE',
      path: guard,
    })
    expect(left).toBeGreaterThan(0)
    expect(operator.left).toBe(left)
  })

  it('reads the tree again when a node vanishes between two transactions', async () => {
    const operator = new TreeRegistry()
    operator.afterCommit = (count) => {
      if (count === 1) operator.tree.drop(`${root}/${nameOf(nodes - 1)}`)
    }
    await deleteGuarded(operator.registry, root, guard)
    expect(operator.tree.get(root)).toBeUndefined()
  })
})
