import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'

import { isElasticJobError } from '../../src/errors.ts'
import {
  type AddressOptions,
  chooseAddress,
  type NetworkInterfaces,
} from '../../src/servers/address.ts'

const loopback = { address: '127.0.0.1', family: 'IPv4', internal: true } as const

function external(address: string): NonNullable<NetworkInterfaces[string]>[number] {
  return { address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal: false }
}

const machine: NetworkInterfaces = {
  lo: [loopback, { address: '::1', family: 'IPv6', internal: true }],
  eth0: [external('fe80::1'), external('192.168.1.5'), external('192.168.1.50')],
  eth1: [external('10.1.2.3')],
}

describe('chooseAddress', () => {
  it.each<[AddressOptions, string]>([
    [{}, '192.168.1.5'],
    [{ preferredNetworkInterface: 'eth1' }, '10.1.2.3'],
    [{ preferredNetworkIp: '10.1.2.3' }, '10.1.2.3'],
    [{ preferredNetworkIp: '10.' }, '10.1.2.3'],
    [{ preferredNetworkIp: String.raw`192\.168\..*0` }, '192.168.1.50'],
    [{ preferredNetworkIp: '192.*', preferredNetworkInterface: 'eth0' }, '192.168.1.5'],
    [{ ip: '203.0.113.7', preferredNetworkInterface: 'eth9' }, '203.0.113.7'],
  ])(
    'with the preference %j it is %s, whether it answers to anybody or not',
    (options, address) => {
      expect(chooseAddress(machine, options)).toBe(address)
    },
  )

  it('is the loopback where there is nothing else', () => {
    expect(chooseAddress({ lo: [loopback] })).toBe('127.0.0.1')
    expect(chooseAddress({ lo: [loopback], eth0: [external('fe80::1')], eth1: undefined })).toBe(
      '127.0.0.1',
    )
  })

  it.each<[AddressOptions, string]>([
    [
      { preferredNetworkInterface: 'eth9' },
      'no address of this machine fits preferredNetworkInterface "eth9"; it has eth0 192.168.1.5, eth0 192.168.1.50, eth1 10.1.2.3, lo 127.0.0.1.',
    ],
    [
      { preferredNetworkInterface: 'eth1', preferredNetworkIp: '192.168' },
      'fits preferredNetworkInterface "eth1" and preferredNetworkIp "192.168"',
    ],
    [{ preferredNetworkIp: '127.0.0.1' }, 'fits preferredNetworkIp "127.0.0.1"'],
    [{ preferredNetworkIp: '192.[' }, 'preferredNetworkIp "192.[" is neither an address'],
    [{ ip: 'fe80::1' }, 'ip "fe80::1" is not an IPv4 address'],
    [{ ip: '10.0.0.256' }, 'is not an IPv4 address'],
    [{ ip: '10.0.0' }, 'is not an IPv4 address'],
    [{ ip: '10.0.0.1.' }, 'is not an IPv4 address'],
    [{ ip: '010.0.0.1' }, 'is not an IPv4 address'],
    [{ ip: '' }, 'is not an IPv4 address'],
  ])('refuses %j', (options, message) => {
    const choose = (): string => chooseAddress(machine, options)
    expect(choose).toThrow(message)
    expect(choose).toThrow(
      expect.toSatisfy((error) => isElasticJobError(error, 'JOB_ADDRESS_UNKNOWN')),
    )
  })

  it("takes what Node says of this machine's interfaces", () => {
    expect(chooseAddress(networkInterfaces())).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  })
})
