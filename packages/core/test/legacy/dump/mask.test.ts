import { describe, expect, it } from 'vitest'

import { AddressMask } from '../../../src/legacy/dump/mask.ts'

describe('AddressMask', () => {
  it('gives an address one name, wherever it stands', () => {
    const mask = new AddressMask()
    expect(mask.mask('/job/servers/10.0.0.2 | ENABLED')).toBe('/job/servers/ip1 | ENABLED')
    expect(mask.mask('10.0.0.1@-@7 | serverIp: 10.0.0.1, not 10.0.0.2')).toBe(
      'ip2@-@7 | serverIp: ip2, not ip1',
    )
  })

  it('does not take an address for the beginning of another', () => {
    expect(new AddressMask().mask('10.0.0.1 10.0.0.12 10.0.0.1')).toBe('ip1 ip2 ip1')
  })

  it.each(['1.2.3', 'a.b.c.d', '0/5 * * * * ?', ''])('leaves %j alone', (text) => {
    expect(new AddressMask().mask(text)).toBe(text)
  })
})
