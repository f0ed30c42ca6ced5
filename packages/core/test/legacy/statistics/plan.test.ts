import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { RegistryError } from '../../../src/registry/registry-error.ts'
import {
  nextWrite,
  planCounts,
  type CountsPosition,
  positionAfter,
} from '../../../src/legacy/statistics/plan.ts'

const folder = '/shop.state/statistics/job'

function shapes(position: CountsPosition): string[] {
  return planCounts(position, folder, 'me', 'text').map((part) => `${part.type} ${part.path}`)
}

describe('planCounts', () => {
  it('makes what is missing, and changes what is there', () => {
    expect(shapes('nothing')).toEqual([`create ${folder}`, `create ${folder}/me`])
    expect(shapes('folder')).toEqual([`create ${folder}/me`])
    expect(shapes('node')).toEqual([`set ${folder}/me`])
  })

  it('makes nodes that go with their instance', () => {
    const [, node] = planCounts('nothing', folder, 'me', 'text')
    expect(node).toMatchObject({ mode: 'ephemeral' })
  })
})

describe('positionAfter', () => {
  const failure = (
    code: 'REGISTRY_NODE_EXISTS' | 'REGISTRY_NO_NODE' | 'REGISTRY_NO_AUTH',
    path: string,
  ): RegistryError => new RegistryError(code, code, { path, partIndex: 0 })

  it.each<[CountsPosition, RegistryError, ReturnType<typeof positionAfter>]>([
    ['nothing', failure('REGISTRY_NODE_EXISTS', folder), 'folder'],
    ['folder', failure('REGISTRY_NODE_EXISTS', `${folder}/me`), 'node'],
    ['nothing', failure('REGISTRY_NO_NODE', folder), 'above'],
    ['folder', failure('REGISTRY_NO_NODE', `${folder}/me`), 'nothing'],
    ['node', failure('REGISTRY_NO_NODE', `${folder}/me`), 'folder'],
    ['node', failure('REGISTRY_NO_AUTH', `${folder}/me`), undefined],
  ])('of %s, after %s: %s', (position, error, after) => {
    expect(positionAfter(error, position, folder)).toBe(after)
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
