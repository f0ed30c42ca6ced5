import type { Acl, AclId } from '@elasticjob/zookeeper/protocol'
import { openAcl } from './acl-table.ts'
import { schemeOf } from './schemes.ts'

/** The super user's identity, which has every permission. */
export const superIdentity: AclId = Object.freeze({ scheme: 'super', id: '' })

/** Whether any of these identities has any of these permissions. An empty ACL grants everything. */
export function isPermitted(
  acl: readonly Acl[],
  permissions: number,
  identities: readonly AclId[],
): boolean {
  if (acl === openAcl || acl.length === 0) return true
  if (identities.some(({ scheme }) => scheme === 'super')) return true
  return acl.some(
    (entry) => (entry.permissions & permissions) !== 0 && speaksOf(entry.id, identities),
  )
}

function speaksOf(id: AclId, identities: readonly AclId[]): boolean {
  if (isWorld(id)) return true
  const scheme = schemeOf(id.scheme)
  if (scheme === undefined) return false
  return identities.some(
    (identity) => identity.scheme === id.scheme && scheme.matches(identity.id, id.id),
  )
}

/**
 * The ACL as it is stored: without duplicates, and with `auth` replaced by the caller's authenticated
 * identities. Undefined if it is empty or contains an invalid id.
 */
export function resolveAcl(
  requested: readonly Acl[],
  identities: readonly AclId[],
): readonly Acl[] | undefined {
  if (requested.length === 1 && requested[0] !== undefined && isWorld(requested[0].id)) {
    return requested
  }
  const resolved: Acl[] = []
  for (const entry of withoutRepetitions(requested)) {
    const { scheme, id } = entry.id
    if (isWorld(entry.id)) {
      resolved.push(entry)
    } else if (scheme === 'auth') {
      const proven = identities.filter((identity) => schemeOf(identity.scheme)?.isProof === true)
      if (proven.length === 0) return undefined
      for (const identity of proven) {
        resolved.push({ permissions: entry.permissions, id: identity })
      }
    } else {
      if (schemeOf(scheme)?.isValid(id) !== true) return undefined
      resolved.push(entry)
    }
  }
  return resolved.length === 0 ? undefined : resolved
}

function isWorld({ scheme, id }: AclId): boolean {
  return scheme === 'world' && id === 'anyone'
}

function withoutRepetitions(list: readonly Acl[]): readonly Acl[] {
  const seen = new Set<string>()
  return list.filter(({ permissions, id }) => {
    const key = JSON.stringify([permissions, id.scheme, id.id])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
