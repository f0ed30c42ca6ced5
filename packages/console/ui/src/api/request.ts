/** Sends one request to the server of the console. */
import type { Failure } from '../../../src/contract/common.ts'
import { base } from '../tab/base.ts'
import { ApiError } from './api-error.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Request {
  readonly method: Method
  /** The path below `/api`. */
  readonly path: string
  readonly query?: Query | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

let csrfToken: string | undefined
let onUnknown: () => void = () => {}

/** The CSRF token of the session, for every request except GET. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token
}

/** Called when the server does not accept the session any more. */
export function whenUnknown(callback: () => void): void {
  onUnknown = callback
}

export function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(key, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

export async function request<T>({ method, path, query, body, signal }: Request): Promise<T> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (method !== 'GET' && csrfToken !== undefined) headers['x-csrf-token'] = csrfToken
  const response = await fetch(`${base}/api${path}${queryString(query)}`, {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await response.text()
  if (response.ok) {
    const isText = response.headers.get('content-type')?.startsWith('text/plain') === true
    return (isText ? text : parsed(text)) as T
  }
  if (response.status === 401 && path !== '/session') onUnknown()
  const failure = (parsed(text) as Failure | undefined)?.error
  throw new ApiError(
    response.status,
    failure?.code ?? `HTTP_${response.status}`,
    failure?.message ?? response.statusText,
    failure,
  )
}

/** A proxy in between may answer with a page of its own. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
