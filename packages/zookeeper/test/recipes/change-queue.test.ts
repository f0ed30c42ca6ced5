import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ZooKeeperError } from '../../src/errors.ts'
import { ChangeQueue, type Reading, type Step } from '../../src/recipes/change-queue.ts'
import { statWith } from '../support/stats.ts'

const content = (mzxid: bigint): NonNullable<Step['result']> => ({
  data: new Uint8Array(),
  stat: statWith({ mzxid }),
})

/** All steps that can be taken, as path and result. */
function takeAll(queue: ChangeQueue): [string, unknown][] {
  const taken: [string, unknown][] = []
  for (let step = queue.take(); step !== undefined; step = queue.take()) {
    if (step.result !== 'overtaken') taken.push([step.path, step.result])
  }
  return taken
}

/** The answer for a node arrives and is decoded. */
function answer(queue: ChangeQueue, reading: Reading | undefined, result: Step['result']): void {
  if (reading === undefined) throw new Error('nothing is being read')
  queue.answered(reading)
  reading.step.result ??= result
}

describe('ChangeQueue', () => {
  it('take() returns nothing until the result of the first step is known', () => {
    const queue = new ChangeQueue(() => 0n)
    const first = queue.touched('/a', 'changed')
    const second = queue.touched('/b', 'changed')
    answer(queue, second, content(2n))
    expect(takeAll(queue)).toEqual([])
    answer(queue, first, content(1n))
    expect(takeAll(queue)).toEqual([
      ['/a', content(1n)],
      ['/b', content(2n)],
    ])
  })

  it('reports only the last of several changes, at the position of the last', () => {
    const queue = new ChangeQueue(() => 0n)
    const first = queue.touched('/a', 'changed')
    const second = queue.touched('/b', 'changed')
    expect(queue.touched('/a', 'changed')).toBeUndefined()
    answer(queue, first, content(3n))
    answer(queue, second, content(2n))
    expect(takeAll(queue)).toEqual([
      ['/b', content(2n)],
      ['/a', content(3n)],
    ])
  })

  it('reports a creation at its own position, before the nodes below it', () => {
    const queue = new ChangeQueue(() => 0n)
    const parent = queue.touched('/a', 'created')
    const child = queue.touched('/a/b', 'created')
    expect(queue.touched('/a', 'changed')).toBeUndefined()
    answer(queue, parent, content(3n))
    answer(queue, child, content(2n))
    expect(takeAll(queue).map(([path]) => path)).toEqual(['/a', '/a/b'])
  })

  it('reads a node again when it changes after the answer arrived', () => {
    const queue = new ChangeQueue(() => 0n)
    const first = queue.touched('/a', 'changed') as Reading
    queue.answered(first)
    const second = queue.touched('/a', 'changed')
    first.step.result = content(1n)
    answer(queue, second, content(2n))
    expect(takeAll(queue)).toEqual([
      ['/a', content(1n)],
      ['/a', content(2n)],
    ])
  })

  it('drops the pending reading of a deleted node', () => {
    const queue = new ChangeQueue(() => 0n)
    const reading = queue.touched('/a', 'changed')
    queue.deleted('/a')
    expect(takeAll(queue)).toEqual([['/a', 'deleted']])
    answer(queue, reading, { error: new ZooKeeperError('ZK_NO_NODE', 'gone') })
    expect(takeAll(queue)).toEqual([])
  })

  it('uses the answer of a load as the answer for the node', () => {
    const queue = new ChangeQueue(() => 0n)
    const reading = queue.touched('/a', 'changed')
    queue.loaded('/a', 'content').result = content(2n)
    queue.loaded('/a', 'children').result = { children: [] }
    answer(queue, reading, content(2n))
    expect(queue.isLoading).toBe(true)
    expect(takeAll(queue)).toEqual([
      ['/a', content(2n)],
      ['/a', { children: [] }],
    ])
    expect(queue.isLoading).toBe(false)
  })

  it('counts pushed and taken steps', () => {
    let zxid = 5n
    const queue = new ChangeQueue(() => zxid)
    expect([queue.isEmpty, queue.zxid, queue.pushed, queue.taken]).toEqual([true, 5n, 0, 0])
    const first = queue.touched('/a', 'changed')
    zxid = 6n
    const second = queue.touched('/b', 'changed')
    zxid = 7n
    expect([queue.isEmpty, queue.zxid, queue.pushed, queue.taken]).toEqual([false, 5n, 2, 0])
    answer(queue, first, content(1n))
    takeAll(queue)
    expect([queue.isEmpty, queue.zxid, queue.pushed, queue.taken]).toEqual([false, 6n, 2, 1])
    answer(queue, second, content(2n))
    takeAll(queue)
    expect([queue.isEmpty, queue.zxid, queue.pushed, queue.taken]).toEqual([true, 7n, 2, 2])
  })

  it('ends with the state of the server, reported in commit order', () => {
    const moments = fc.array(
      fc.oneof(
        fc.record({ commit: fc.constantFrom('/a', '/b', '/c'), deletes: fc.boolean() }),
        fc.record({ answers: fc.nat(3) }),
        fc.record({ decodes: fc.nat(3) }),
      ),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(moments, (script) => {
        const simulation = new Simulation()
        for (const moment of script) {
          if ('commit' in moment) simulation.commit(moment.commit, moment.deletes)
          else if ('answers' in moment) simulation.answer(moment.answers)
          else simulation.decode(moment.decodes)
        }
        simulation.answer(Infinity)
        simulation.decode(Infinity)
        expect(simulation.queue.isEmpty).toBe(true)
        expect(simulation.told).toEqual(simulation.server)
        expect(simulation.order).toEqual(simulation.order.toSorted((a, b) => Number(a - b)))
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The zxids of a node's creation and last change. */
interface Zxids {
  readonly czxid: bigint
  readonly mzxid: bigint
}

/** A server and a client that follows it through a queue; answers arrive in order and are decoded later. */
class Simulation {
  readonly server = new Map<string, Zxids>()
  readonly told = new Map<string, Zxids>()
  /** The reported commits, in order. */
  readonly order: bigint[] = []
  #zxid = 0n
  readonly queue = new ChangeQueue(() => this.#zxid)
  readonly #sent: { readonly path: string; readonly reading: Reading }[] = []
  readonly #arrived: { readonly reading: Reading; readonly result: Step['result'] }[] = []

  commit(path: string, deletes: boolean): void {
    const zxid = ++this.#zxid
    const before = this.server.get(path)
    if (deletes) {
      if (this.server.delete(path)) this.queue.deleted(path)
    } else {
      this.server.set(path, { czxid: before?.czxid ?? zxid, mzxid: zxid })
      const reading = this.queue.touched(path, before === undefined ? 'created' : 'changed')
      if (reading !== undefined) this.#sent.push({ path, reading })
    }
    this.#take()
  }

  answer(count: number): void {
    for (const { path, reading } of this.#sent.splice(0, count)) {
      const found = this.server.get(path)
      this.queue.answered(reading)
      const result: Step['result'] =
        found === undefined
          ? { error: new ZooKeeperError('ZK_NO_NODE', path) }
          : { data: new Uint8Array(), stat: statWith(found) }
      this.#arrived.push({ reading, result })
    }
  }

  decode(count: number): void {
    for (const { reading, result } of this.#arrived.splice(0, count)) {
      reading.step.result ??= result
    }
    this.#take()
  }

  #take(): void {
    for (let step = this.queue.take(); step !== undefined; step = this.queue.take()) {
      const { path, result } = step
      if (result === 'deleted') this.told.delete(path)
      else if (typeof result === 'object' && 'data' in result) {
        const { czxid, mzxid } = result.stat
        this.order.push(this.told.has(path) ? mzxid : czxid)
        this.told.set(path, { czxid, mzxid })
      }
    }
  }
}
