import { permission } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'
import { isPermitted, resolveAcl, superIdentity } from '../../src/acl/access.ts'
import { openAcl, readOnlyAcl } from '../../src/acl/acl-table.ts'

const me = { scheme: 'digest', id: 'me:hash' }
const address = { scheme: 'ip', id: '10.1.2.3' }
const entry = (scheme: string, id: string, permissions: number = permission.all) => ({
  permissions,
  id: { scheme, id },
})

describe('isPermitted', () => {
  it('grants the permissions of the list', () => {
    expect(isPermitted(openAcl, permission.admin, [])).toBe(true)
    expect(isPermitted(readOnlyAcl, permission.read, [])).toBe(true)
    expect(isPermitted(readOnlyAcl, permission.write, [me])).toBe(false)
    expect(isPermitted([entry('digest', 'me:hash')], permission.write, [address, me])).toBe(true)
    expect(isPermitted([entry('digest', 'me:other')], permission.write, [address, me])).toBe(false)
    expect(isPermitted([entry('ip', '10.0.0.0/8')], permission.write, [address])).toBe(true)
  })

  it('is true if any of several permissions is granted', () => {
    const acl = [entry('digest', 'me:hash', permission.read)]
    expect(isPermitted(acl, permission.read | permission.admin, [me])).toBe(true)
    expect(isPermitted(acl, permission.admin, [me])).toBe(false)
  })

  it('grants everything to the super user, and to everybody without a list', () => {
    expect(isPermitted([entry('digest', 'x:y')], permission.write, [superIdentity])).toBe(true)
    expect(isPermitted([], permission.write, [])).toBe(true)
  })

  it('does not match identities across schemes', () => {
    expect(
      isPermitted([entry('sasl', 'me')], permission.read, [{ scheme: 'sasl', id: 'me' }]),
    ).toBe(false)
    expect(
      isPermitted([entry('ip', '10.1.2.3')], permission.read, [{ ...address, scheme: 'digest' }]),
    ).toBe(false)
  })
})

describe('resolveAcl', () => {
  it('replaces auth by the authenticated identities', () => {
    const second = { scheme: 'digest', id: 'you:hash' }
    expect(resolveAcl([entry('auth', '', permission.read)], [address, me, second])).toEqual([
      { permissions: permission.read, id: me },
      { permissions: permission.read, id: second },
    ])
  })

  it('removes duplicates', () => {
    const acl = [entry('world', 'anyone'), entry('digest', 'a:b'), entry('world', 'anyone')]
    expect(resolveAcl(acl, [])).toEqual(acl.slice(0, 2))
  })

  it.each([
    ['an empty list', []],
    ['auth without proof', [entry('auth', '')]],
    ['a scheme that there is not', [entry('sasl', 'me')]],
    ['another world', [entry('world', 'me')]],
    ['a digest without hash', [entry('digest', 'me')]],
    ['an address that is none', [entry('ip', 'localhost')]],
    ['one bad among good', [entry('world', 'anyone'), entry('ip', 'x')]],
  ])('refuses %s', (_what, acl) => {
    expect(resolveAcl(acl, [address])).toBeUndefined()
  })
})
