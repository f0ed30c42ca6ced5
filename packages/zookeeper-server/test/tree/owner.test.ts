import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containerOwner, maxTtl, ownerKind, ttlOf, ttlOwner } from '../../src/tree/owner.ts'

describe('the owner field', () => {
  it('distinguishes the kinds of nodes', () => {
    expect(ownerKind(0n)).toBe('persistent')
    expect(ownerKind(containerOwner)).toBe('container')
    expect(ownerKind(0x100001f6959000fn)).toBe('ephemeral')
  })

  it('holds every valid TTL', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: maxTtl }), (ttl) => {
        expect(ownerKind(ttlOwner(ttl))).toBe('ttl')
        expect(ttlOf(ttlOwner(ttl))).toBe(Number(ttl))
      }),
    )
  })
})
