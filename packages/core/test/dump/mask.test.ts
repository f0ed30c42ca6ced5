import { describe, expect, it } from 'vitest'

import { AddressMask, maskSecrets } from '../../src/dump/mask.ts'

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

describe('maskSecrets', () => {
  it.each([
    ['email.password: abc\nlabel: x\n', "email.password: '******'\nlabel: x\n"],
    ["props:\n  dingtalk.secret: 'a b'\n  a: b\n", "props:\n  dingtalk.secret: '******'\n  a: b\n"],
    ['password: |-\n  two\n  lines\nlabel: x\n', "password: '******'\nlabel: x\n"],
    ['password: plain\n  that goes on\nlabel: x\n', "password: '******'\nlabel: x\n"],
    [
      '{"props":{"wechat.webhook":"https://x?key=1","a":"b"}}',
      `{"props":{"wechat.webhook":'******',"a":"b"}}`,
    ],
    [
      'jobExtraConfigurations:\n- !!a.B\n  props:\n    password: p\n    username: u\n',
      "jobExtraConfigurations:\n- !!a.B\n  props:\n    password: '******'\n    username: u\n",
    ],
    ['tokens:\n- a\n- b\nlabel: x\n', "tokens:\n'******'\nlabel: x\n"],
    ['password:\nlabel: x\n', 'password:\nlabel: x\n'],
  ])('%j', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked)
  })

  it('leaves a text as it is that names no secret', () => {
    const text = 'jobName: job\ncron: 0/5 * * * * ?\n'
    expect(maskSecrets(text)).toBe(text)
  })

  it('takes out whole lines of what is not YAML', () => {
    expect(maskSecrets('{a: "x\nb.password: y\n- c')).toBe('{a: "x\n******\n- c')
  })
})
