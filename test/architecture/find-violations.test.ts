import { describe, expect, test } from 'vitest'

import { findViolations } from './find-violations.ts'
import { readModule } from './read-module.ts'

const publicEntries = new Map([
  ['zookeeper', new Set(['@elasticjob/zookeeper', '@elasticjob/zookeeper/protocol'])],
  ['zookeeper-server', new Set(['@elasticjob/zookeeper-server'])],
])

function violationsOf(path: string, text: string): string[] {
  return findViolations([readModule(path, text)], publicEntries)
}

const client = 'packages/zookeeper/src'
const server = 'packages/zookeeper-server/src'

describe('finds', () => {
  test.for<[name: string, path: string, text: string, sentence: string]>([
    [
      'a package that looks up',
      `${client}/a.ts`,
      `import '@elasticjob/zookeeper-server'`,
      'zookeeper may not know zookeeper-server',
    ],
    [
      'a re-export from above',
      `${client}/a.ts`,
      `export * from '@elasticjob/zookeeper-server'`,
      'zookeeper may not know zookeeper-server',
    ],
    [
      'a dynamic import from above',
      `${client}/a.ts`,
      `await import('@elasticjob/zookeeper-server')`,
      'zookeeper may not know zookeeper-server',
    ],
    [
      'a type from above',
      `${client}/a.ts`,
      `type A = import('@elasticjob/zookeeper-server').A`,
      'zookeeper may not know zookeeper-server',
    ],
    [
      'a source that imports its own package by name',
      `${client}/a.ts`,
      `import '@elasticjob/zookeeper'`,
      'zookeeper may not know zookeeper',
    ],
    [
      'a source of core that knows ZooKeeper',
      'packages/core/src/execution/a.ts',
      `import type { Stat } from '@elasticjob/zookeeper'`,
      'only registry/zookeeper/ knows',
    ],
    [
      'a core that knows sockets',
      `${server}/server-core.ts`,
      `import './net/listener.ts'`,
      'the core is a state machine',
    ],
    [
      'a log that knows requests',
      `${server}/persistence/a.ts`,
      `import '../request/b.ts'`,
      'a log knows transactions',
    ],
    [
      'a tree that knows requests',
      `${server}/tree/a.ts`,
      `import '../request/b.ts'`,
      'knows nothing of who asks',
    ],
    [
      'a request that knows files',
      `${server}/request/a.ts`,
      `import '../persistence/b.ts'`,
      'without sockets and files',
    ],
    [
      'a package nobody knows',
      `${client}/a.ts`,
      `import '@elasticjob/unheard-of'`,
      'no public entry',
    ],
    [
      'a deep import',
      `${server}/a.ts`,
      `import '@elasticjob/zookeeper/src/jute/reader.ts'`,
      'no public entry',
    ],
    [
      'a path into a sibling',
      `${server}/a.ts`,
      `import '../../zookeeper/src/index.ts'`,
      'reaches into zookeeper',
    ],
    [
      'a path into a package',
      'test/zookeeper/a.ts',
      `import '../../${client}/index.ts'`,
      'reaches into zookeeper',
    ],
    [
      'a path out of the package',
      `${server}/a.ts`,
      `import '../../../scripts/check.ts'`,
      'leaves its package',
    ],
    [
      'jute that knows a clock',
      `${client}/jute/a.ts`,
      `import type { C } from '../clock.ts'`,
      'the codec',
    ],
    [
      'a connection with a session',
      `${client}/connection/a.ts`,
      `import '../session/b.ts'`,
      'a connection is one socket',
    ],
    [
      'a session with a client',
      `${client}/session/a.ts`,
      `import '../client.ts'`,
      'a session serves any caller',
    ],
    [
      'a recipe with a session',
      `${client}/recipes/a.ts`,
      `import { b } from '../session/b.ts'`,
      'a recipe is built',
    ],
    ['a default export', `${client}/a.ts`, 'export default 1', 'default export'],
    ['an enum', `${client}/a.ts`, 'enum A { B }', 'declares an enum'],
    ['a namespace', `${client}/a.ts`, 'namespace A {}', 'declares a namespace'],
    ['a name in camelCase', `${client}/leaderLatch.ts`, '', 'kebab-case'],
    ['a long file', `${client}/a.ts`, `${'\n'.repeat(600)}f()`, 'has 601 lines'],
    ['a test outside of all suites', 'test/elsewhere/a.test.ts', '', 'no vitest project'],
    ['the time', `${client}/a.ts`, 'Date.now()', 'uses Date.now'],
    ['the time as a date', `${client}/a.ts`, 'new Date()', 'uses new Date()'],
    [
      'the time through globalThis',
      `${client}/a.ts`,
      'globalThis.performance.now()',
      'uses performance.now',
    ],
    ['a timer', `${client}/a.ts`, 'setTimeout(f, 1)', 'uses setTimeout'],
    ['a timer handed on', `${client}/a.ts`, 'const t = { set: setInterval }', 'uses setInterval'],
    ['a timer in the wrong wrapper', `${client}/random.ts`, 'setTimeout(f, 1)', 'uses setTimeout'],
    [
      'an imported timer',
      `${client}/a.ts`,
      `import { setTimeout as wait } from 'node:timers/promises'`,
      'imports setTimeout from node:timers/promises',
    ],
    ['dice', `${client}/a.ts`, 'Math.random()', 'uses Math.random'],
    [
      'imported dice',
      `${client}/a.ts`,
      `import { randomBytes } from 'node:crypto'`,
      'imports randomBytes from node:crypto',
    ],
  ])('%s', ([, path, text, sentence]) => {
    expect(violationsOf(path, text)).toEqual([expect.stringContaining(sentence)])
  })
})

describe('allows', () => {
  test.for<[name: string, path: string, text: string]>([
    [
      'a test of its own package by name',
      'packages/zookeeper/test/a.test.ts',
      `import '@elasticjob/zookeeper'`,
    ],
    [
      'a fuzzer with the harness of real servers',
      'packages/zookeeper-server/fuzz/servers/real.ts',
      `import '../../../../test/zookeeper/harness/java.ts'`,
    ],
    ['a public entry', `${server}/a.ts`, `import '@elasticjob/zookeeper/protocol'`],
    ['jute among itself', `${client}/jute/a.ts`, `import './b.ts'; import '../errors.ts'`],
    ['a recipe with types', `${client}/recipes/a.ts`, `import type { B } from '../session/b.ts'`],
    ['a clock', `${client}/clock.ts`, 'export const now = Date.now; setTimeout(f, 1)'],
    ['an injected clock', `${client}/a.ts`, 'clock.now(); clock.setTimeout(f, 1)'],
    ['a given date', `${client}/a.ts`, 'new Date(time)'],
    ['a type of a timer', `${client}/a.ts`, 'type Timer = ReturnType<typeof setTimeout>'],
    ['a member of that name', `${client}/a.ts`, 'interface Clock { setTimeout(f: F): T }'],
    ['a hash', `${client}/a.ts`, `import { createHash } from 'node:crypto'`],
    ['a timer in a test', 'packages/zookeeper/test/a.test.ts', 'setTimeout(f, 1)'],
    ['what a tool wants', 'vitest.config.ts', 'export default 1'],
    ['an augmented module', `${client}/a.ts`, `declare module 'vitest' { interface A {} }`],
  ])('%s', ([, path, text]) => {
    expect(violationsOf(path, text)).toEqual([])
  })
})

test('a module that does not parse is an error', () => {
  expect(() => readModule('a.ts', 'import from from')).toThrow('a.ts does not parse')
})
