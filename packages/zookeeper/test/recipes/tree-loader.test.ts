import { describe, expect, it } from 'vitest'

import type { MultiReadResult } from '../../src/client.ts'
import { Deferred } from '../../src/deferred.ts'
import { type Question, TreeLoader } from '../../src/recipes/tree-loader.ts'
import type { ReadPart } from '../../src/transaction.ts'
import { statWith } from '../support/stats.ts'

const small: MultiReadResult = { data: new Uint8Array(10), stat: statWith() }
const large: MultiReadResult = { data: new Uint8Array(600_000), stat: statWith() }

interface Request {
  readonly parts: readonly ReadPart[]
  readonly onAnswer: () => void
  readonly answer: Deferred<MultiReadResult[]>
}

/** A server that answers on command. */
class Server {
  readonly waiting: Request[] = []
  readonly batches: number[] = []
  readonly taken: { question: Question; result: MultiReadResult }[] = []
  readonly failures: unknown[] = []
  readonly loader: TreeLoader

  constructor(oneByOne = false) {
    this.loader = new TreeLoader(
      {
        read: (parts, onAnswer) => {
          const answer = new Deferred<MultiReadResult[]>()
          this.batches.push(parts.length)
          this.waiting.push({ parts, onAnswer, answer })
          return answer.promise
        },
        arrived: (pendingReads) => (results) => {
          for (const [index, question] of pendingReads.entries()) {
            this.taken.push({ question, result: results[index] as MultiReadResult })
          }
          this.loader.dirtyQueue()
        },
        failed: (error) => this.failures.push(error),
      },
      { oneByOne },
    )
  }

  ask(count: number): void {
    for (let i = 0; i < count; i++) this.loader.ask('content', `/n${i}`)
    this.loader.dirtyQueue()
  }

  /** Answers the oldest request, and lets the loader continue. */
  async answer(result: MultiReadResult = small): Promise<void> {
    const { parts, onAnswer, answer } = this.waiting.shift() as Request
    onAnswer()
    answer.resolve(parts.map(() => result))
    await new Promise(setImmediate)
  }

  async answerAll(result: MultiReadResult = small): Promise<void> {
    while (this.waiting.length > 0) await this.answer(result)
  }
}

describe('TreeLoader', () => {
  it('reads content and children as requested, and delivers the answers in order', async () => {
    const server = new Server()
    server.loader.ask('content', '/a')
    server.loader.ask('children', '/a')
    server.loader.ask('content', '/b')
    server.loader.dirtyQueue()
    expect(server.waiting[0]?.parts).toEqual([{ type: 'get', path: '/a' }])
    await server.answerAll()
    expect(server.taken.map(({ question }) => question)).toEqual([
      { about: 'content', path: '/a' },
      { about: 'children', path: '/a' },
      { about: 'content', path: '/b' },
    ])
  })

  it('starts with one question per request, and increases the batch while replies are small', async () => {
    const server = new Server()
    server.ask(300)
    expect(server.batches).toEqual([1])
    await server.answerAll()
    expect(server.batches.slice(0, 4)).toEqual([1, 2, 2, 4])
    expect(Math.max(...server.batches)).toBe(64)
    expect(server.taken).toHaveLength(300)
  })

  it('limits the number of requests in flight', async () => {
    const server = new Server()
    server.ask(2_000)
    let most = 0
    while (server.waiting.length > 0) {
      most = Math.max(most, server.waiting.length)
      await server.answer()
    }
    expect(most).toBe(8)
    expect(server.taken).toHaveLength(2_000)
  })

  it('decreases the batch when replies are large', async () => {
    const server = new Server()
    server.ask(1_000)
    for (let i = 0; i < 12; i++) await server.answer()
    expect(server.batches.at(-1)).toBe(64)
    for (let i = 0; i < 12; i++) await server.answer(large)
    expect(server.batches.at(-1)).toBe(1)
    await server.answer(small)
    await server.answer(small)
    expect(server.batches.at(-1)).toBeGreaterThan(1)
  })

  it('sends one question per request if configured to', async () => {
    const server = new Server(true)
    server.ask(50)
    await server.answerAll()
    expect(new Set(server.batches)).toEqual(new Set([1]))
    expect(server.taken).toHaveLength(50)
  })

  it('isIdle is true when every question is answered', async () => {
    const server = new Server()
    expect(server.loader.isIdle).toBe(true)
    server.ask(2)
    expect(server.loader.isIdle).toBe(false)
    await server.answer()
    expect(server.loader.isIdle).toBe(false)
    await server.answer()
    expect(server.loader.isIdle).toBe(true)
  })

  it('accepts any number of questions', async () => {
    const server = new Server()
    const many = 70_000
    server.ask(many)
    await server.answerAll()
    expect(server.taken.map(({ question }) => question.path).join()).toBe(
      Array.from({ length: many }, (_, i) => `/n${i}`).join(),
    )
    expect(server.loader.isIdle).toBe(true)
  })

  it('reports the first failure and sends nothing more', async () => {
    const server = new Server()
    server.ask(100)
    await server.answer()
    const reason = new Error('gone')
    for (const { answer } of server.waiting.splice(0)) answer.reject(reason)
    await new Promise(setImmediate)
    expect(server.failures).toEqual([reason])
    expect(server.waiting).toEqual([])
  })

  it('reports nothing after stop()', async () => {
    const server = new Server()
    server.ask(100)
    await server.answer()
    const [first, second] = server.waiting
    server.loader.stop()
    await server.answer()
    second?.answer.reject(new Error('gone'))
    await new Promise(setImmediate)
    expect(first).toBeDefined()
    expect(server.taken).toHaveLength(1)
    expect(server.failures).toEqual([])
    expect(server.batches).toHaveLength(3)
  })
})
