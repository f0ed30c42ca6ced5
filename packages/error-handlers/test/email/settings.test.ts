import { describe, expect, test } from 'vitest'

import { emailProblemsOf, emailSecretsOf, emailSettingsOf } from '../../src/email/settings.ts'

const props = {
  'email.host': 'smtp.example.com',
  'email.port': '465',
  'email.username': 'jobs',
  'email.password': ' correct horse ',
  'email.from': 'jobs@example.com',
  'email.to': 'ops@example.com',
}

const problemsOf = (more: Record<string, string>): string[] =>
  emailProblemsOf({ ...props, ...more }).map(({ key, message }) => `${key} ${message}`)

test("emailSettingsOf accepts Java's required properties, with Java's defaults", () => {
  expect(problemsOf({})).toEqual([])
  expect(emailSettingsOf(props)).toEqual({
    host: 'smtp.example.com',
    port: 465,
    useSsl: true,
    requireTls: false,
    trustsServer: false,
    login: { user: 'jobs', pass: ' correct horse ' },
    subject: 'ElasticJob error message',
    from: 'jobs@example.com',
    to: ['ops@example.com'],
    cc: [],
    bcc: [],
    debug: false,
    connectTimeout: 10_000,
    readTimeout: 30_000,
  })
})

test('emailProblemsOf names every missing property, with an example', () => {
  expect(emailProblemsOf({})).toEqual([
    { key: 'email.host', message: 'is required, for example smtp.example.com' },
    { key: 'email.port', message: 'is required, for example 465' },
    { key: 'email.from', message: 'is required, for example jobs@example.com' },
    { key: 'email.to', message: 'is required, for example jobs@example.com' },
  ])
})

describe('email addresses', () => {
  test('may be several, with display names', () => {
    const lists = {
      'email.to': 'a@example.com, Ops on call <b@example.com>,',
      'email.cc': 'c@example.com,d@example.com',
      'email.bcc': 'e@example.com',
      'email.from': 'Jobs <jobs@example.com>',
    }
    expect(problemsOf(lists)).toEqual([])
    expect(emailSettingsOf({ ...props, ...lists })).toMatchObject({
      to: ['a@example.com', 'Ops on call <b@example.com>'],
      cc: ['c@example.com', 'd@example.com'],
      bcc: ['e@example.com'],
    })
  })

  test.for(['ops', 'ops@', 'a@b@c', 'Ops <ops>', 'a b@example.com', 'a@example.com\nBcc: b@c.d'])(
    'refuses "%s"',
    (address) => {
      expect(problemsOf({ 'email.to': `a@example.com,${address}` })).toEqual([
        `email.to "${address}" is not a valid address; write jobs@example.com, or Jobs <jobs@example.com>`,
      ])
    },
  )

  test('the sender must be a single address', () => {
    expect(problemsOf({ 'email.from': 'a@example.com,b@example.com' })).toEqual([
      'email.from must be one address, not a list',
    ])
  })
})

describe('email login', () => {
  test('may be omitted for a server without authentication', () => {
    const { 'email.username': _user, 'email.password': _password, ...open } = props
    expect(emailProblemsOf(open)).toEqual([])
    expect(emailSettingsOf(open).login).toBeUndefined()
    expect(emailSecretsOf(open)).toEqual([])
  })

  test('is never incomplete', () => {
    expect(problemsOf({ 'email.password': '' })).toEqual([
      'email.password is required together with email.username; omit both for a server without authentication',
    ])
    expect(problemsOf({ 'email.username': '' })).toEqual([
      'email.username is required together with email.password; omit both for a server without authentication',
    ])
  })

  test('has a secret password, also in its encoded form', () => {
    expect(emailSecretsOf(props)).toEqual([' correct horse ', '\0jobs\0 correct horse '])
  })
})

test.for<[trust: string, trusts: boolean]>([
  ['*', true],
  ['smtp.example.com', true],
  ['other.example.com smtp.example.com', true],
  ['other.example.com', false],
  ['', false],
])('email.ssl.trust "%s" trusts the server: %s', ([trust, trusts]) => {
  expect(emailSettingsOf({ ...props, 'email.ssl.trust': trust }).trustsServer).toBe(trusts)
})

test('emailProblemsOf refuses invalid numbers and flags', () => {
  expect(
    problemsOf({
      'email.port': '70000',
      'email.useSsl': 'yes',
      'email.requireTls': '1',
      'email.debug': 'loud',
      'email.connectTimeoutMilliseconds': '0',
      'email.readTimeoutMilliseconds': '-1',
    }),
  ).toEqual([
    'email.port must be an integer from 1 to 65535, not "70000"',
    'email.useSsl must be true or false, not "yes"',
    'email.requireTls must be true or false, not "1"',
    'email.debug must be true or false, not "loud"',
    'email.connectTimeoutMilliseconds must be an integer from 1 to 2147483647, not "0"',
    'email.readTimeoutMilliseconds must be an integer from 1 to 2147483647, not "-1"',
  ])
})
