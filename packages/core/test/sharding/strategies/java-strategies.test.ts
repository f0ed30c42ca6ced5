import { describe, expect, it } from 'vitest'

import { javaHash } from '../../../src/sharding/strategies/java-hash.ts'
import { StrategyRegistry } from '../../../src/sharding/strategies/strategy-registry.ts'
import { goldenLines } from '../../support/golden.ts'

interface Question {
  readonly type: string
  readonly jobName: string
  readonly total: number
  readonly instances: readonly string[]
}

const answers = goldenLines<Question, { hash: number; items: Record<string, number[]> }>(
  'strategies.jsonl',
)
const strategies = new StrategyRegistry()

function shard({ type, jobName, total, instances }: Question, now = 0): Map<string, number[]> {
  return strategies.get(type).shard(instances, jobName, total, new Map(), now)
}

describe("Java's strategies", () => {
  it("give Java's results", () => {
    const accepted = answers.filter(({ answer }) => answer.refused === undefined)
    expect(accepted.length).toBeGreaterThan(300)
    for (const { question, answer } of accepted) {
      expect({ question, items: Object.fromEntries(shard(question)) }).toEqual({
        question,
        items: answer.items,
      })
      expect(javaHash(question.jobName)).toBe(answer.hash)
    }
  })

  it('also work for the names with which Java fails', () => {
    const refused = answers.filter(({ answer }) => answer.refused !== undefined)
    expect(refused.map(({ answer }) => answer.hash)).toEqual([-(2 ** 31)])
    for (const { question } of refused) {
      const items = [...shard(question).values()].flat()
      expect(items.toSorted((one, other) => one - other)).toEqual([...Array(question.total).keys()])
    }
  })
})

describe('one by one', () => {
  const instances = ['c', 'b', 'a']
  const shares = (type: string, jobName: string, total: number): number[][] => {
    const items = shard({ type, jobName, total, instances })
    return instances.map((instance) => items.get(instance) ?? [])
  }
  const blocks = [
    [0, 1, 2, 9],
    [3, 4, 5],
    [6, 7, 8],
  ]

  it('AVG_ALLOCATION gives blocks, and what is left over to the first instances', () => {
    expect(shares('AVG_ALLOCATION', 'any', 10)).toEqual(blocks)
  })

  it('ODEVITY begins at the other end for a job whose name has an even hash', () => {
    expect([javaHash('a'), javaHash('b')]).toEqual([97, 98])
    expect(shares('ODEVITY', 'a', 10)).toEqual(blocks)
    expect(shares('ODEVITY', 'b', 10)).toEqual(blocks.toReversed())
  })

  it('ROUND_ROBIN begins at the instance that the hash of the name decides', () => {
    const [first, second, third] = blocks
    expect([javaHash('b') % 3, javaHash('c') % 3]).toEqual([2, 0])
    expect(shares('ROUND_ROBIN', 'c', 10)).toEqual(blocks)
    expect(shares('ROUND_ROBIN', 'b', 10)).toEqual([second, third, first])
  })
})

describe('SINGLE_SHARDING_BALANCE', () => {
  const instances = ['c', 'b', 'a']
  const ownerAt = (now: number, jobName = 'job'): string | undefined => {
    const question = { type: 'SINGLE_SHARDING_BALANCE', jobName, total: 1, instances }
    return [...shard(question, now)].find(([, items]) => items.length === 1)?.[0]
  }

  it('gives the shard to one instance after the other as time goes by', () => {
    const start = 1_700_000_000_000
    const sum = (javaHash('job') + (start | 0)) | 0
    const owners = [0, 1, 2].map((tick) => ownerAt(start + tick))
    expect(owners).toEqual([0, 1, 2].map((tick) => instances[Math.abs(sum + tick) % 3]))
    expect(new Set(owners).size).toBe(3)
  })

  it('keeps the lower 32 bits, as Java does, and does not fail where Java does', () => {
    expect(ownerAt(2 ** 40)).toBe(ownerAt(0))
    const worst = 2 ** 31 - javaHash('job')
    expect((javaHash('job') + (worst | 0)) | 0).toBe(-(2 ** 31))
    expect(ownerAt(worst)).toBe(instances[2 ** 31 % 3])
  })
})
