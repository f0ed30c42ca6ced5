import { describe, expect, it } from 'vitest'

import { HostList, parseConnectString } from '../../src/session/host-list.ts'

describe('parseConnectString', () => {
  it('reads hosts, ports and chroot', () => {
    expect(parseConnectString('a:1, b ,[::1]:3/app/x')).toEqual({
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2181 },
        { host: '::1', port: 3 },
      ],
      chroot: '/app/x',
    })
  })

  it('accepts a list, and "/" as no chroot', () => {
    expect(parseConnectString(['a:1', 'b:2/']).hosts).toHaveLength(2)
    expect(parseConnectString('a:1/').chroot).toBe('')
  })

  it.each([
    ['', 'names no server'],
    [',', 'names no server'],
    ['a:0', 'not 0'],
    ['a:70000', 'not 70000'],
    ['a:b', 'host:port'],
    ['::1', '[address]:port'],
    ['http://a', 'host:port'],
    ['a:1/x//y', 'is empty'],
  ])('refuses %j and says what is right', (text, reason) => {
    expect(() => parseConnectString(text)).toThrow(reason)
  })
})

describe('HostList', () => {
  it('cycles through all hosts in one order', () => {
    const hosts = ['a', 'b', 'c'].map((host) => ({ host, port: 1 }))
    const list = new HostList(hosts, { fraction: () => 0, bytes: (n) => new Uint8Array(n) })
    const first = [list.next(), list.next(), list.next()]
    expect(new Set(first.map(({ host }) => host))).toEqual(new Set(['a', 'b', 'c']))
    expect([list.next(), list.next(), list.next()]).toEqual(first)
  })
})
