import { MultiError, openAcl, ZooKeeperError } from '@elasticjob/zookeeper'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { nodeMaker } from '../../src/registry/node-maker.ts'
import { nextWrite, planCounts, type Standing, standingAfter } from '../../src/statistics/plan.ts'

const folder = '/shop.state/statistics/job'
const make = nodeMaker(openAcl)

function shapes(standing: Standing): string[] {
  return planCounts(standing, folder, 'me', 'text', make).map((part) => `${part.type} ${part.path}`)
}

describe('planCounts', () => {
  it('makes what is missing, and changes what is there', () => {
    expect(shapes('nothing')).toEqual([`create ${folder}`, `create ${folder}/me`])
    expect(shapes('folder')).toEqual([`create ${folder}/me`])
    expect(shapes('node')).toEqual([`set ${folder}/me`])
  })

  it('makes nodes that go with their instance', () => {
    const [, node] = planCounts('nothing', folder, 'me', 'text', make)
    expect(node).toMatchObject({ kind: { isEphemeral: true } })
  })
})

describe('standingAfter', () => {
  const failure = (
    code: 'ZK_NODE_EXISTS' | 'ZK_NO_NODE' | 'ZK_NO_AUTH',
    path: string,
  ): MultiError => new MultiError(new ZooKeeperError(code, code, { path }), 0, [])

  it.each<[Standing, MultiError, ReturnType<typeof standingAfter>]>([
    ['nothing', failure('ZK_NODE_EXISTS', folder), 'folder'],
    ['folder', failure('ZK_NODE_EXISTS', `${folder}/me`), 'node'],
    ['nothing', failure('ZK_NO_NODE', folder), 'above'],
    ['folder', failure('ZK_NO_NODE', `${folder}/me`), 'nothing'],
    ['node', failure('ZK_NO_NODE', `${folder}/me`), 'folder'],
    ['node', failure('ZK_NO_AUTH', `${folder}/me`), undefined],
  ])('of %s, after %s: %s', (standing, error, after) => {
    expect(standingAfter(error, standing, folder)).toBe(after)
  })
})

describe('nextWrite', () => {
  it('is the next of times that are one interval apart, at the same fraction of each', () => {
    const time = fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 })
    const interval = fc.integer({ min: 1000, max: 86_400_000 })
    const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(time, interval, fraction, (now, length, shift) => {
        const next = nextWrite(now, length, shift)
        expect(next).toBeGreaterThan(now)
        expect(next - now).toBeLessThanOrEqual(length)
        expect(nextWrite(next, length, shift)).toBe(next + length)
        expect(nextWrite(next - 1, length, shift)).toBe(next)
      }),
    )
  })
})
