/** The endpoints of the server by name, with the types of their input and output. */
import { endpoints, type EndpointName } from '../../../src/contract/endpoints.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '../../../src/contract/routes.ts'
import { dataSourceName, registryName } from '../tab/selection.ts'
import { type Query, request } from './request.ts'

/** An endpoint without parameters takes none. */
type Given<T> = string extends keyof T ? object : { readonly params: T }

export type Input<N extends EndpointName> = Given<ParamsOf<N>> & {
  readonly query?: QueryOf<N>
  readonly signal?: AbortSignal
} & (BodyOf<N> extends undefined ? object : { readonly body?: BodyOf<N> })

/** The endpoints without a registry in the query, because it would have another meaning or none. */
const withoutPlace: ReadonlySet<EndpointName> = new Set([
  'listAudit',
  'login',
  'logout',
  'showSession',
])

export function call<N extends EndpointName>(name: N, input: Input<N>): Promise<AnswerOf<N>> {
  const { method, path } = endpoints[name]
  const { params, query, body, signal } = input as {
    params?: Readonly<Record<string, unknown>>
    query?: Query
    body?: unknown
    signal?: AbortSignal
  }
  const place = withoutPlace.has(name)
    ? {}
    : { registry: registryName.value, source: dataSourceName.value }
  return request<AnswerOf<N>>({
    method,
    path: filled(path, params ?? {}),
    query: { ...place, ...query },
    body,
    signal,
  })
}

/** `/jobs/{job}/pause` with each segment encoded: a name is one segment, whatever characters it has. */
export function filled(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
}
