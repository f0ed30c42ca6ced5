import { describe, expect, test } from 'vitest'

import { redact, secretsOfUrl } from '../src/redact.ts'

describe('redact', () => {
  test('removes a secret in all its forms', () => {
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

  test('replaces a secret that contains another one as a whole', () => {
    expect(redact('1234567890', ['345', '1234567890'])).toBe('***')
  })

  test('returns one line without control characters', () => {
    expect(redact(' one\r\ntwo\u0007\u001b[31mthree ', [])).toBe('one two [31mthree')
  })

  test('ignores an empty secret', () => {
    expect(redact('all of it', [''])).toBe('all of it')
  })
})

describe('secretsOfUrl', () => {
  test.for([
    'https://hooks.slack.com/services/T0000000/B0000000/XXXXXXXXXXXX',
    'https://oapi.dingtalk.com/robot/send?access_token=abcdef123456',
    'https://user:password1@alerts.example.com:8443/a/b',
  ])('is secret but for its host: %s', (url) => {
    const { href, host, pathname, search } = new URL(url)
    const messageParts = `POST ${href} failed; ${pathname}${search} is not known at ${host}`
    const told = redact(messageParts, secretsOfUrl(url))
    expect(told).toBe(`POST *** failed; *** is not known at ${host}`)
  })

  test('includes the token alone', () => {
    const secrets = secretsOfUrl('https://a.example/send?access_token=abcdef123456')
    expect(redact('invalid token abcdef123456', secrets)).toBe('invalid token ***')
  })

  test('treats an invalid URL as a secret', () => {
    expect(redact('not a URL: my-token', secretsOfUrl('my-token'))).toBe('not a URL: ***')
  })
})
