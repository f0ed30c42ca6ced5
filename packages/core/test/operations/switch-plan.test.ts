import { describe, expect, it } from 'vitest'

import type { ItemWord } from '../../src/job-tree/item-word.ts'
import type { Draft } from '../../src/operations/draft.ts'
import {
  planDisable,
  planEnable,
  planShardDisable,
  planShardEnable,
} from '../../src/operations/switch-plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y } from '../tree.ts'

const now = 5000
const disable = (tree: JobTree, server?: string): Draft =>
  carryOut(tree, planDisable(tree.view, operatorOf(tree), server))
const enable = (tree: JobTree, server?: string): Draft =>
  carryOut(tree, planEnable(tree.view, operatorOf(tree), now, server))

describe('planDisable and planEnable', () => {
  it('write to the servers’ nodes what Java writes there', () => {
    const tree = jobTree({ instances: [x, y, java] })
    expect(disable(tree).done.map(({ server }) => server)).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.9',
    ])
    expect([...tree.view.servers.values()]).toEqual(['DISABLED', 'DISABLED', 'DISABLED'])
    enable(tree)
    expect([...tree.view.servers.values()]).toEqual(['ENABLED', 'ENABLED', 'ENABLED'])
  })

  it('concern one server if one is named', () => {
    const tree = jobTree({ instances: [x, y] })
    disable(tree, '10.0.0.1')
    expect(tree.view.servers).toEqual(
      new Map([
        ['10.0.0.1', 'DISABLED'],
        ['10.0.0.2', 'ENABLED'],
      ]),
    )
    expect(disable(tree, '10.0.0.1')).toMatchObject({ operations: [], unchanged: [{}] })
  })

  it('reach an instance whose server has no node', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': undefined } })
    disable(tree)
    expect(tree.view.servers.get('10.0.0.1')).toBe('DISABLED')
  })

  it('write ENABLED where 2.x wrote nothing: later versions wait for it', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': '' } })
    enable(tree)
    expect(tree.view.servers.get('10.0.0.1')).toBe('ENABLED')
  })

  it('let a job that was disabled altogether begin anew', () => {
    const off = { '10.0.0.1': 'DISABLED', '10.0.0.2': 'DISABLED' }
    const tree = jobTree({ instances: [x, y], servers: off })
    enable(tree, '10.0.0.1')
    expect(tree.view.word?.value.resumed).toBe(now)
    enable(tree, '10.0.0.2')
    expect(tree.view.word?.version).toBe(1)
  })

  it('make no word for a job of Java’s alone', () => {
    const tree = jobTree({ instances: [java], servers: { '10.0.0.9': 'DISABLED' }, word: false })
    enable(tree)
    expect(tree.view.word).toBeUndefined()
  })
})

describe('planShardDisable and planShardEnable', () => {
  const disableItem = (tree: JobTree, item: number): Draft =>
    carryOut(tree, planShardDisable(tree.view, operatorOf(tree), item))
  const enableItem = (tree: JobTree, item: number): Draft => {
    const owned = tree.owned(item)
    const word = owned.word && { value: owned.word, version: owned.wordVersion }
    return carryOut(tree, planShardEnable(tree.view, operatorOf(tree), item, word, now))
  }

  it('put the mark there and take it away', () => {
    const tree = jobTree({ instances: [x], owners: [x, x] })
    disableItem(tree, 1)
    expect(tree.view.items.get(1)?.disabled).toBe(true)
    expect(disableItem(tree, 1)).toMatchObject({ operations: [], unchanged: [{ item: 1 }] })
    enableItem(tree, 1)
    expect(tree.view.items.get(1)?.disabled).toBe(false)
    expect(enableItem(tree, 1)).toMatchObject({ operations: [], unchanged: [{ item: 1 }] })
  })

  it('reach an item that nobody has dealt out yet', () => {
    const tree = jobTree({})
    disableItem(tree, 0)
    expect(tree.view.items.get(0)?.disabled).toBe(true)
  })

  it('say in the word of the item from when on it is due again', () => {
    const marks = { 0: { disabled: '' }, 1: { disabled: '' } }
    const last: Partial<ItemWord> = { state: 'idle', run: 'r', fireTime: 1000 }
    const tree = jobTree({ instances: [x], owners: [x, x], marks, words: { 0: last } })
    enableItem(tree, 0)
    enableItem(tree, 1)
    expect(tree.itemWord(0)).toMatchObject({ ...last, since: now })
    expect(tree.itemWord(1)).toMatchObject({ state: 'idle', since: now })
  })

  it('leave the word alone that a run will end with', () => {
    const running: Partial<ItemWord> = { state: 'running', run: 'r', instance: x }
    const marks = { 0: { disabled: '', running: x } }
    const tree = jobTree({ instances: [x], owners: [x], marks, words: { 0: running } })
    enableItem(tree, 0)
    expect(tree.owned(0).wordVersion).toBe(0)
  })
})
