import { validateHeaderValue } from 'node:http'

import type { Problem } from '../../errors.ts'
import {
  type IntegerProps,
  integersOf,
  problemsOfIntegers,
  problemsOfRequired,
  type Props,
} from '../../config/props.ts'

/** The request of an HTTP job, from the job's `props`. */
export interface HttpSettings {
  readonly url: URL
  readonly method: string
  /** Undefined for a request without a body. */
  readonly body: Buffer | undefined
  readonly contentType: string | undefined
  /** The maximum time to connect, in milliseconds; 0 for no limit. */
  readonly connectTimeout: number
  /** The maximum silence of the server, in milliseconds; 0 for no limit. */
  readonly readTimeout: number
  /** The maximum time from the start of a response to its end, in milliseconds; 0 for no limit. */
  readonly responseTimeout: number
  /** The maximum size of a response, in bytes. */
  readonly maxResponseBytes: number
}

const uriKey = 'http.uri'
const methodKey = 'http.method'
const dataKey = 'http.data'
const contentTypeKey = 'http.content.type'

const limits: IntegerProps<
  'connectTimeout' | 'readTimeout' | 'responseTimeout' | 'maxResponseBytes'
> = {
  connectTimeout: { key: 'http.connect.timeout.milliseconds', least: 0, byDefault: 3_000 },
  readTimeout: { key: 'http.read.timeout.milliseconds', least: 0, byDefault: 5_000 },
  responseTimeout: { key: 'http.response.timeout.milliseconds', least: 0, byDefault: 600_000 },
  maxResponseBytes: { key: 'http.response.max.bytes', least: 1, byDefault: 16_777_216 },
}

/** The methods, and whether a request with the method has a body. */
const methods: Readonly<Record<string, boolean>> = {
  GET: false,
  HEAD: false,
  OPTIONS: false,
  POST: true,
  PUT: true,
  PATCH: true,
  DELETE: true,
}

export function httpProblemsOf(props: Props): readonly Problem[] {
  return [
    ...problemsOfRequired(props, uriKey),
    ...problemsOfUri(props[uriKey]),
    ...problemsOfRequired(props, methodKey),
    ...problemsOfMethod(props[methodKey]),
    ...problemsOfContentType(props[contentTypeKey]),
    ...problemsOfIntegers(props, limits),
  ]
}

/** The request of properties without problems; call `httpProblemsOf` first. */
export function httpSettingsOf(props: Props): HttpSettings {
  const method = (props[methodKey] ?? '').trim().toUpperCase()
  const data = props[dataKey] ?? ''
  const body = data !== '' && methods[method] === true ? Buffer.from(data) : undefined
  return {
    url: new URL(props[uriKey] ?? ''),
    method,
    body,
    contentType: props[contentTypeKey] || defaultContentType(method, body),
    ...integersOf(props, limits),
  }
}

/** The header that Java's client adds by default; servers may depend on it. */
function defaultContentType(method: string, body: Buffer | undefined): string | undefined {
  return body !== undefined && method !== 'PUT' ? 'application/x-www-form-urlencoded' : undefined
}

function problemsOfUri(uri = ''): readonly Problem[] {
  if (uri.trim() === '') return []
  if (!URL.canParse(uri)) return [{ key: uriKey, message: `"${uri}" is not a URL` }]
  const { protocol } = new URL(uri)
  if (protocol === 'http:' || protocol === 'https:') return []
  return [{ key: uriKey, message: `must begin with http:// or https://, not ${protocol}` }]
}

function problemsOfMethod(method = ''): readonly Problem[] {
  const name = method.trim().toUpperCase()
  if (name === '' || Object.hasOwn(methods, name)) return []
  const known = Object.keys(methods).join(', ')
  return [{ key: methodKey, message: `must be one of ${known}, not "${method}"` }]
}

function problemsOfContentType(contentType = ''): readonly Problem[] {
  try {
    validateHeaderValue('Content-Type', contentType)
    return []
  } catch {
    return [{ key: contentTypeKey, message: 'has characters that no header may have' }]
  }
}
