/**
 * The meaning of a node's owner field. ZooKeeper encodes four kinds of nodes in one 64-bit number: 0 for a
 * persistent node, the session id for an ephemeral one, and two markers that are no valid session id.
 */
export type OwnerKind = 'persistent' | 'ephemeral' | 'container' | 'ttl'

export const noOwner = 0n

export const containerOwner: bigint = -(2n ** 63n)

/** The longest TTL, in milliseconds: the bits beside the marker (about 34 years). */
export const maxTtl: bigint = 2n ** 40n - 1n

const ttlMark = BigInt.asIntN(64, 0xffn << 56n)

/** The owner field of a node with a TTL, which must be from 1 to `maxTtl`. */
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
