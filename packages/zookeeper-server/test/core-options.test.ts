import { describe, expect, it } from 'vitest'
import { resolveCoreOptions } from '../src/core-options.ts'

describe('resolveCoreOptions', () => {
  it('derives the timeout bounds from the tick', () => {
    expect(resolveCoreOptions({})).toMatchObject({
      tickTime: 2_000,
      minSessionTimeout: 4_000,
      maxSessionTimeout: 40_000,
    })
    expect(resolveCoreOptions({ tickTime: 100, maxSessionTimeout: 9_000 })).toMatchObject({
      minSessionTimeout: 200,
      maxSessionTimeout: 9_000,
    })
  })

  it.each([
    { tickTime: 0 },
    { tickTime: Number.NaN },
    { cleanUpInterval: -1 },
    { maxDataBytes: Number.NaN },
    { maxNodes: 0 },
    { minSessionTimeout: 5_000, maxSessionTimeout: 4_999 },
  ])('refuses %j', (options) => {
    expect(() => resolveCoreOptions(options)).toThrow(RangeError)
  })
})
