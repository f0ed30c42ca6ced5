import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { resolveRegistry } from '../../src/registry/resolve.ts'

let directory: string
let empty: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  empty = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  writeFileSync(
    join(directory, 'elasticjob.yaml'),
    'registry:\n  servers: file:2181\n  namespace: file-space\n  digest: ${SECRET:-user:password}\n',
  )
  writeFileSync(
    join(directory, 'java.yaml'),
    'registry:\n  serverLists: java:2181\n  namespace: j\n',
  )
  writeFileSync(join(directory, 'broken.yaml'), 'registry:\n  servers: x:1\n  namespce: y\n')
})

afterAll(() => {
  for (const each of [directory, empty]) rmSync(each, { recursive: true })
})

const variables = { ELASTICJOB_SERVERS: 'variable:2181', ELASTICJOB_NAMESPACE: 'variable-space' }

describe('options go before variables, and variables before the file', () => {
  test('options', () => {
    const flags = { servers: 'option:2181', namespace: 'option-space' }
    expect(resolveRegistry(flags, { environment: variables, directory })).toMatchObject(flags)
  })

  test('variables', () => {
    expect(resolveRegistry({}, { environment: variables, directory })).toMatchObject({
      servers: 'variable:2181',
      namespace: 'variable-space',
    })
  })

  test('the file', () => {
    expect(resolveRegistry({}, { environment: {}, directory })).toMatchObject({
      servers: ['file:2181'],
      namespace: 'file-space',
      digest: 'user:password',
    })
  })

  test('a variable that is empty is none', () => {
    const environment = { ELASTICJOB_SERVERS: ' ' }
    expect(resolveRegistry({}, { environment, directory })).toMatchObject({
      servers: ['file:2181'],
    })
  })

  test('a namespace of the file for servers of an option', () => {
    const { servers, namespace } = resolveRegistry(
      { servers: 'option:2181' },
      { environment: {}, directory },
    )
    expect([servers, namespace]).toEqual(['option:2181', 'file-space'])
  })
})

test("a file's password is not sent to servers that the file does not name", () => {
  const found = resolveRegistry({ servers: 'option:2181' }, { environment: {}, directory })
  expect(found.digest).toBeUndefined()
})

test('a password comes from the environment', () => {
  const environment = { ...variables, ELASTICJOB_DIGEST: 'me:secret' }
  expect(resolveRegistry({}, { environment, directory })).toMatchObject({ digest: 'me:secret' })
})

test("Java's name for the servers is one, too, and gives way to an option", () => {
  const flags = { file: 'java.yaml' }
  const around = { environment: {}, directory }
  expect(resolveRegistry(flags, around)).toMatchObject({ serverLists: 'java:2181' })
  expect(resolveRegistry({ ...flags, servers: 'option:2181' }, around)).toMatchObject({
    servers: 'option:2181',
    serverLists: undefined,
  })
})

test('a command tries for five seconds unless it is told otherwise', () => {
  const around = { environment: variables, directory: empty }
  expect(resolveRegistry({}, around)).toMatchObject({ connectionTimeoutMilliseconds: 5000 })
  expect(resolveRegistry({ timeout: 0.5 }, around)).toMatchObject({
    connectionTimeoutMilliseconds: 500,
  })
})

describe('refuses', () => {
  test.for([
    ['no servers', {}, {}, 'CLI_REGISTRY_MISSING', 'no ZooKeeper servers are configured'],
    ['no namespace', { servers: 'x:1' }, {}, 'CLI_REGISTRY_MISSING', 'no namespace'],
    ['a file that is not there', { file: 'none.yaml' }, {}, 'CLI_USAGE', 'cannot read the file'],
  ] as const)('%s', ([, flags, environment, code, words]) => {
    expect(() => resolveRegistry(flags, { environment, directory: empty })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(words) as string }),
    )
  })

  test('a file with a mistake in it', () => {
    expect(() => resolveRegistry({ file: 'broken.yaml' }, { environment: {}, directory })).toThrow(
      /namespce.*did you mean "namespace"/,
    )
  })
})
