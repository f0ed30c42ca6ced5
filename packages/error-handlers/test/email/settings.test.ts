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

test('what Java asks for is enough, and Java’s defaults hold', () => {
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

test('everything that is missing is named, with what would be right', () => {
  expect(emailProblemsOf({})).toEqual([
    { key: 'email.host', message: 'is required, such as smtp.example.com' },
    { key: 'email.port', message: 'is required, such as 465' },
    { key: 'email.from', message: 'is required, such as jobs@example.com' },
    { key: 'email.to', message: 'is required, such as jobs@example.com' },
  ])
})

describe('addresses', () => {
  test('may be several, with names', () => {
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
    '"%s" is none',
    (address) => {
      expect(problemsOf({ 'email.to': `a@example.com,${address}` })).toEqual([
        `email.to "${address}" is no address; write jobs@example.com, or Jobs <jobs@example.com>`,
      ])
    },
  )

  test('the sender is one', () => {
    expect(problemsOf({ 'email.from': 'a@example.com,b@example.com' })).toEqual([
      'email.from must be one address, not a list',
    ])
  })
})

describe('the login', () => {
  test('may be left out, where the server asks for none', () => {
    const { 'email.username': _user, 'email.password': _password, ...open } = props
    expect(emailProblemsOf(open)).toEqual([])
    expect(emailSettingsOf(open).login).toBeUndefined()
    expect(emailSecretsOf(open)).toEqual([])
  })

  test('is never half of one', () => {
    expect(problemsOf({ 'email.password': '' })).toEqual([
      'email.password is required beside email.username; leave both out for a server that asks for neither',
    ])
    expect(problemsOf({ 'email.username': '' })).toEqual([
      'email.username is required beside email.password; leave both out for a server that asks for neither',
    ])
  })

  test('has a password that is secret, also as it is sent', () => {
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

test('what is no number and no flag is refused', () => {
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
    'email.port must be a whole number from 1 to 65535, not "70000"',
    'email.useSsl must be true or false, not "yes"',
    'email.requireTls must be true or false, not "1"',
    'email.debug must be true or false, not "loud"',
    'email.connectTimeoutMilliseconds must be a whole number from 1 to 2147483647, not "0"',
    'email.readTimeoutMilliseconds must be a whole number from 1 to 2147483647, not "-1"',
  ])
})
