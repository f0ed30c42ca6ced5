/** The mail server and the addresses, with the property names of Java's handler. */
import type { Problem } from '@elasticjob/core'

import {
  type FlagProp,
  flagOf,
  type IntegerProp,
  integerOf,
  problemsOfFlag,
  problemsOfInteger,
  problemsOfRequired,
  type Props,
  textOf,
} from '../props.ts'

export interface EmailSettings {
  readonly host: string
  readonly port: number
  /** Whether the connection uses TLS from the start. */
  readonly useSsl: boolean
  /** Whether a plain connection must be upgraded with STARTTLS before anything is sent. */
  readonly requireTls: boolean
  /** Whether the server's certificate is accepted without verification. */
  readonly trustsServer: boolean
  /** Undefined for a server without authentication. */
  readonly login: { readonly user: string; readonly pass: string } | undefined
  readonly subject: string
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly debug: boolean
  readonly connectTimeout: number
  readonly readTimeout: number
}

const hostKey = 'email.host'
const portKey = 'email.port'
const userKey = 'email.username'
const passwordKey = 'email.password'
const fromKey = 'email.from'
const toKey = 'email.to'
const ccKey = 'email.cc'
const bccKey = 'email.bcc'
const subjectKey = 'email.subject'
const trustKey = 'email.ssl.trust'

const defaultSubject = 'ElasticJob error message'

const port: IntegerProp = { key: portKey, least: 1, most: 65_535, byDefault: 465 }
const useSsl: FlagProp = { key: 'email.useSsl', byDefault: true }
const requireTls: FlagProp = { key: 'email.requireTls', byDefault: false }
const debug: FlagProp = { key: 'email.debug', byDefault: false }
const connectTimeout: IntegerProp = {
  key: 'email.connectTimeoutMilliseconds',
  least: 1,
  byDefault: 10_000,
}
const readTimeout: IntegerProp = {
  key: 'email.readTimeoutMilliseconds',
  least: 1,
  byDefault: 30_000,
}

export function emailProblemsOf(props: Props): readonly Problem[] {
  return [
    ...problemsOfRequired(props, hostKey, 'smtp.example.com'),
    ...problemsOfRequired(props, portKey, '465'),
    ...problemsOfInteger(props, port),
    ...problemsOfLogin(props),
    ...problemsOfRequired(props, fromKey, exampleAddress),
    ...problemsOfAddresses(props, fromKey, 1),
    ...problemsOfRequired(props, toKey, exampleAddress),
    ...[toKey, ccKey, bccKey].flatMap((key) => problemsOfAddresses(props, key, Infinity)),
    ...[useSsl, requireTls, debug].flatMap((flag) => problemsOfFlag(props, flag)),
    ...[connectTimeout, readTimeout].flatMap((limit) => problemsOfInteger(props, limit)),
  ]
}

/** Reads settings that `emailProblemsOf` has validated. */
export function emailSettingsOf(props: Props): EmailSettings {
  const host = textOf(props, hostKey) ?? ''
  const user = textOf(props, userKey)
  const trusted = (textOf(props, trustKey) ?? '').split(/[\s,]+/)
  return {
    host,
    port: integerOf(props, port),
    useSsl: flagOf(props, useSsl),
    requireTls: flagOf(props, requireTls),
    trustsServer: trusted.includes('*') || trusted.includes(host),
    login: user === undefined ? undefined : { user, pass: passwordOf(props) ?? '' },
    subject: textOf(props, subjectKey) ?? defaultSubject,
    from: textOf(props, fromKey) ?? '',
    to: addressesOf(props, toKey),
    cc: addressesOf(props, ccKey),
    bcc: addressesOf(props, bccKey),
    debug: flagOf(props, debug),
    connectTimeout: integerOf(props, connectTimeout),
    readTimeout: integerOf(props, readTimeout),
  }
}

/** The password, plain and as encoded in a login. */
export function emailSecretsOf(props: Props): readonly string[] {
  const password = passwordOf(props)
  if (password === undefined) return []
  return [password, `\0${textOf(props, userKey) ?? ''}\0${password}`]
}

/** Not trimmed: spaces may be part of it. */
function passwordOf(props: Props): string | undefined {
  return props[passwordKey] || undefined
}

/** A login may be absent, but not incomplete. */
function problemsOfLogin(props: Props): readonly Problem[] {
  const hasUser = textOf(props, userKey) !== undefined
  const hasPassword = passwordOf(props) !== undefined
  if (hasUser === hasPassword) return []
  const [missing, given] = hasUser ? [passwordKey, userKey] : [userKey, passwordKey]
  const message = `is required together with ${given}; omit both for a server without authentication`
  return [{ key: missing, message }]
}

const exampleAddress = 'jobs@example.com'
const addressForm = /^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

function problemsOfAddresses(props: Props, key: string, most: number): readonly Problem[] {
  const addresses = addressesOf(props, key)
  if (addresses.length > most) return [{ key, message: `must be one address, not a list` }]
  const wrong = addresses.find((address) => !addressForm.test(address))
  if (wrong === undefined) return []
  const message = `"${wrong}" is not a valid address; write ${exampleAddress}, or Jobs <${exampleAddress}>`
  return [{ key, message }]
}

function addressesOf(props: Props, key: string): readonly string[] {
  const list = (props[key] ?? '').split(',').map((address) => address.trim())
  return list.filter((address) => address !== '')
}
