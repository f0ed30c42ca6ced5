import { expect, it } from 'vitest'

import { type Endpoint, endpoints } from '../../src/contract/endpoints.ts'
import { openApi } from '../../src/index.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: unknown }[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly security: readonly unknown[]
}

const document = openApi('1.2.3') as {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

it('is an OpenAPI document of this version', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info.version).toBe('1.2.3')
  // What cannot be written down as JSON would be lost on the way.
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

it('has every endpoint once, with what its path names', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(
    Object.keys(endpoints).toSorted(),
  )
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const parameters = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(parameters.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
    expect(Object.keys(operation.responses)).toEqual(['200', 'default'])
  }
})

it('points at nothing that is not there', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, to]) => to,
  )
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
    expect(document.components.schemas).toHaveProperty(reference?.split('/').at(-1) as string)
  }
})

it('has a sentence whose parts may be sentences', () => {
  const parts = JSON.stringify(document.components.schemas['Message'])
  expect(parts).toContain('#/components/schemas/Message')
  expect(JSON.stringify(document)).not.toContain('$defs')
})

it('says which endpoints need somebody to be known', () => {
  for (const [name, { method, path, role }] of Object.entries<Endpoint>(endpoints)) {
    const operation = document.paths[`/api${path}`]?.[method.toLowerCase()]
    expect({ name, isOpen: operation?.security.length === 0 }).toEqual({
      name,
      isOpen: role === 'nobody',
    })
  }
})
