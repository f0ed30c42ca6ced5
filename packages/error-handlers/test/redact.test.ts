import { describe, expect, test } from 'vitest'

import { redact, secretsOfUrl } from '../src/redact.ts'

describe('what is said', () => {
  test('has no secret in it, in any of its forms', () => {
    const secret = 'pass"wörd/+ '
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ]
    for (const form of forms) {
      expect(redact(`before ${form} after`, [secret])).toMatch(/^before "?\*\*\*"? after$/)
    }
  })

  test('has the whole of a secret replaced that contains another one', () => {
    expect(redact('1234567890', ['345', '1234567890'])).toBe('***')
  })

  test('is one line without control characters', () => {
    expect(redact(' one\r\ntwo\u0007\u001b[31mthree ', [])).toBe('one two [31mthree')
  })

  test('an empty secret hides nothing', () => {
    expect(redact('all of it', [''])).toBe('all of it')
  })
})

describe('the address of a webhook', () => {
  test.for([
    'https://hooks.slack.com/services/T0000000/B0000000/XXXXXXXXXXXX',
    'https://oapi.dingtalk.com/robot/send?access_token=abcdef123456',
    'https://user:password1@alerts.example.com:8443/a/b',
  ])('is secret but for its host: %s', (url) => {
    const { href, host, pathname, search } = new URL(url)
    const said = `POST ${href} failed; ${pathname}${search} is not known at ${host}`
    const told = redact(said, secretsOfUrl(url))
    expect(told).toBe(`POST *** failed; *** is not known at ${host}`)
  })

  test('has a token that is hidden alone, too', () => {
    const secrets = secretsOfUrl('https://a.example/send?access_token=abcdef123456')
    expect(redact('invalid token abcdef123456', secrets)).toBe('invalid token ***')
  })

  test('that is no URL is secret as a whole', () => {
    expect(redact('not a URL: my-token', secretsOfUrl('my-token'))).toBe('not a URL: ***')
  })
})
