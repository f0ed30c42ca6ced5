import { describe, expect, it } from 'vitest'

import { isSecretKey, maskSetting, maskText, maskTexts } from '../src/secrets.ts'

describe('isSecretKey', () => {
  it.each([
    'email.password',
    'db.passwd',
    'DB_PWD',
    'zk.digest',
    'api.key',
    'apiKey',
    'aws_access-key',
    'webhook.url',
    'slack.webhook',
    'refreshTokens',
    'Authorization',
  ])('is true for %s', (key) => {
    expect(isSecretKey(key)).toBe(true)
  })

  it.each(['email.username', 'email.host', 'cron', 'http.uri', 'key', 'monkey', 'jobParameter'])(
    'is false for %s',
    (key) => {
      expect(isSecretKey(key)).toBe(false)
    },
  )
})

describe('maskText', () => {
  it.each([
    ['see postgresql://me:planted@db:5432/x, please', 'see postgresql://******@db:5432/x, please'],
    ['mysql://me:pl@nted@db/x', 'mysql://******@db/x'],
    ['mysql://me:pl/an?t#ed@db/x', 'mysql://******@db/x'],
    ['https://planted@git.example/x', 'https://******@git.example/x'],
    [
      'a=1 https://u:planted@h/ b=2 http://v:planted@i/',
      'a=1 https://******@h/ b=2 http://******@i/',
    ],
    [
      'jdbc:mysql://db/x?user=a&password=planted&ssl=1',
      'jdbc:mysql://db/x?user=a&password=******&ssl=1',
    ],
    ['jdbc:oracle:thin:scott/planted@db:1521/x', 'jdbc:oracle:thin:******@db:1521/x'],
    ['https://chat.example/send?key=planted&n=1', 'https://chat.example/send?key=******&n=1'],
    ["DB_PASSWORD='planted planted' ./run --fast", 'DB_PASSWORD=****** ./run --fast'],
    [
      './run --password planted --api-key=planted -v',
      './run --password ****** --api-key=****** -v',
    ],
    ['curl -u me:planted https://h/', 'curl -u ****** https://h/'],
    ['curl -H "Authorization: Bearer planted-planted"', 'curl -H "Authorization: Bearer ******"'],
    ['failed: {"user":"a","password":"pl\\"anted"}', 'failed: {"user":"a","password":"******"}'],
  ])('takes the secret out of %j', (text, masked) => {
    expect(maskText(text)).toBe(masked)
    expect(maskText(masked)).toBe(masked)
  })

  it.each([
    'http://host:8080/users/@me',
    'mail to ops@shop.example',
    '0/5 * * * * ?',
    'the password is wrong',
    'props.email.password: must not be empty',
    '10.0.0.1@-@4711-abc',
  ])('leaves %j as it is', (text) => {
    expect(maskText(text)).toBe(text)
  })

  it.each([
    ['a long name', 'password'.repeat(60_000)],
    ['many schemes', 'a://b:c'.repeat(60_000)],
    ['many open quotes', 'token="\\"'.repeat(60_000)],
    ['blanks', `password${' '.repeat(400_000)}`],
  ])('ends on %s', (_, text) => {
    expect(maskText(text).length).toBeGreaterThan(0)
  })
})

it('maskSetting takes a colon for what stands between a name and its value', () => {
  expect(maskSetting('user: a, password: planted; x')).toBe('user: a, password: ******; x')
  expect(maskSetting('webhook: "planted"')).toBe('webhook: ******')
})

it('maskTexts masks every text of a tree and nothing else', () => {
  const time = new Date(0)
  expect(
    maskTexts({ csrfToken: 'abc', list: ['x://u:p@h', 1, null], inner: { b: true, time } }),
  ).toEqual({ csrfToken: 'abc', list: ['x://******@h', 1, null], inner: { b: true, time } })
})
