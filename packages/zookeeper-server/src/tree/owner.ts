/**
 * What a node's owner field says. ZooKeeper packs four kinds of nodes into one 64-bit number: 0 for
 * a persistent node, the session's id for an ephemeral one, and two marks that no session id is.
 */
export type OwnerKind = 'persistent' | 'ephemeral' | 'container' | 'ttl'

export const noOwner = 0n

export const containerOwner: bigint = -(2n ** 63n)

/** The longest time to live, in milliseconds: what fits beside the mark (about 34 years). */
export const maxTtl: bigint = 2n ** 40n - 1n

const ttlMark = BigInt.asIntN(64, 0xffn << 56n)

/** The owner field of a node with a time to live, which has to be between 1 and `maxTtl`. */
export function ttlOwner(ttl: bigint): bigint {
  return ttlMark | ttl
}

export function ttlOf(owner: bigint): number {
  return Number(BigInt.asUintN(40, owner))
}

export function ownerKind(owner: bigint): OwnerKind {
  if (owner === noOwner) return 'persistent'
  if (owner > 0n) return 'ephemeral'
  if (owner === containerOwner) return 'container'
  return owner >= ttlMark ? 'ttl' : 'ephemeral'
}
