import { createHash } from 'node:crypto'

import { permission } from './jute/op-codes.ts'
import type { Acl } from './jute/records.ts'

/** Grants every permission to everybody. */
export const openAcl: readonly Acl[] = Object.freeze([
  { permissions: permission.all, id: { scheme: 'world', id: 'anyone' } },
])

/** Grants read to everybody and nothing else. */
export const readOnlyAcl: readonly Acl[] = Object.freeze([
  { permissions: permission.read, id: { scheme: 'world', id: 'anyone' } },
])

/** Grants every permission to the identities that the creating connection has authenticated as. */
export const creatorAcl: readonly Acl[] = Object.freeze([
  { permissions: permission.all, id: { scheme: 'auth', id: '' } },
])

/** The id of a user in the digest scheme: the form in which ACLs name `user:password`. */
export function digestId(user: string, password: string): string {
  return `${user}:${createHash('sha1').update(`${user}:${password}`).digest('base64')}`
}
