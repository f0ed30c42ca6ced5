import { describe, expect, it } from 'vitest'
import { describeIdentity, digestIdentity, schemeOf } from '../../src/acl/schemes.ts'

describe('the digest scheme', () => {
  const digest = schemeOf('digest')

  it('hashes user and password together', () => {
    expect(digestIdentity('super:admin')).toBe('super:xQJmxLMiHGwaqBvst5y6rkB6HQs=')
    expect(digestIdentity('nocolon')).toMatch(/^nocolon:.{28}$/)
    expect(digestIdentity('a:b:c')).toMatch(/^a:.{28}$/)
  })

  it.each([
    ['user:hash', true],
    [':hash', true],
    ['user:hash:', true],
    ['user:', false],
    ['user', false],
    ['', false],
    ['a:b:c', false],
  ])('may be granted to %j: %s', (id, isValid) => {
    expect(digest?.isValid(id)).toBe(isValid)
  })

  it('matches the named user only', () => {
    expect(digest?.matches('u:h', 'u:h')).toBe(true)
    expect(digest?.matches('u:h', 'u:i')).toBe(false)
  })
})

describe('the ip scheme', () => {
  const ip = schemeOf('ip')

  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['10.0.0.0/0', true],
    ['10.0.0.0/32', true],
    ['10.0.0.0/33', false],
    ['10.0.0.0/-1', false],
    ['10.0.0.0/x', false],
    ['10.0.0', false],
    ['10.0.0.256', false],
    ['10.0.0.', false],
    ['::1', false],
    ['', false],
  ])('may be granted to %j: %s', (id, isValid) => {
    expect(ip?.isValid(id)).toBe(isValid)
  })

  it.each([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '10.1.2.0/31', false],
    ['10.1.2.1', '10.1.2.0/31', true],
    ['200.1.2.3', '128.0.0.0/1', true],
    ['100.1.2.3', '128.0.0.0/1', false],
    ['1.2.3.4', '200.0.0.0/0', true],
    ['::1', '0.0.0.0/0', false],
  ])('%s is in %s: %s', (address, network, matches) => {
    expect(ip?.matches(address, network)).toBe(matches)
  })
})

describe('describeIdentity', () => {
  it('omits the password hash', () => {
    expect(describeIdentity({ scheme: 'digest', id: 'me:hash' })).toEqual({
      scheme: 'digest',
      user: 'me',
    })
    expect(describeIdentity({ scheme: 'ip', id: '1.2.3.4' }).user).toBe('1.2.3.4')
    expect(describeIdentity({ scheme: 'super', id: '' }).user).toBe('')
  })
})
