import { createHash } from 'node:crypto'
import type { AclId, ClientIdentity } from '@elasticjob/zookeeper/protocol'

/** An authentication scheme. */
interface Scheme {
  /** Whether an ACL entry may name this id. */
  isValid(id: string): boolean
  /** Whether the id of an ACL entry includes the identity of a connection. */
  matches(identity: string, aclId: string): boolean
  /** Whether an identity of this scheme was authenticated, so that an entry of scheme `auth` includes it. */
  readonly isProof: boolean
  userName(identity: string): string
}

const digest: Scheme = {
  // As in Java's split: trailing empty parts do not count.
  isValid: (id) => id.replace(/:+$/, '').split(':').length === 2,
  matches: (identity, aclId) => identity === aclId,
  isProof: true,
  userName: (identity) => identity.split(':', 1)[0] ?? '',
}

const ip: Scheme = {
  isValid: (id) => parseNetwork(id) !== undefined,
  matches(identity, aclId) {
    const network = parseNetwork(aclId)
    const address = parseAddress(identity)
    if (network === undefined || address === undefined) return false
    // A shift by 32 is a shift by 0, so the network of all addresses needs its own case.
    return network.bits === 0 || (address ^ network.address) >>> (32 - network.bits) === 0
  },
  isProof: false,
  userName: (identity) => identity,
}

const schemes = new Map<string, Scheme>([
  ['digest', digest],
  ['ip', ip],
])

export function schemeOf(name: string): Scheme | undefined {
  return schemes.get(name)
}

/** The identity of `user:password`: the user and a hash of both. */
export function digestIdentity(userAndPassword: string): string {
  const user = userAndPassword.split(':', 1)[0] ?? ''
  return `${user}:${createHash('sha1').update(userAndPassword).digest('base64')}`
}

/** An identity as shown to its owner: without the password hash. */
export function describeIdentity({ scheme, id }: AclId): ClientIdentity {
  return { scheme, user: schemeOf(scheme)?.userName(id) ?? '' }
}

interface Network {
  readonly address: number
  readonly bits: number
}

/** Parses `a.b.c.d` or `a.b.c.d/bits`. Only IPv4, as in ZooKeeper. */
function parseNetwork(text: string): Network | undefined {
  const at = text.indexOf('/')
  const address = parseAddress(at === -1 ? text : text.slice(0, at))
  const bits = at === -1 ? 32 : parseDecimal(text.slice(at + 1), 32)
  return address === undefined || bits === undefined ? undefined : { address, bits }
}

function parseAddress(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let address = 0
  for (const part of parts) {
    const value = parseDecimal(part, 255)
    if (value === undefined) return undefined
    address = (address << 8) | value
  }
  return address
}

function parseDecimal(text: string, max: number): number | undefined {
  if (!/^[+-]?\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value >= 0 && value <= max ? value : undefined
}
