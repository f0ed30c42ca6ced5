import { describe, expect, test } from 'vitest'

import { systemClock } from '../../src/clock.ts'
import { ConfigurationError } from '../../src/errors.ts'
import type { MultiShardingContext } from '../../src/job-types/context.ts'
import type { ThroughputDataflow } from '../../src/job-types/dataflow/dataflow.ts'
import type { JobType } from '../../src/job-types/job-type.ts'
import { type JobBody, JobTypes } from '../../src/job-types/job-types.ts'
import { allShards } from '../../src/job-types/multi-shard.ts'

const mail: JobType = {
  name: 'MAIL',
  problemsOf: (props) =>
    props['mail.to'] === undefined ? [{ key: 'mail.to', message: 'is required' }] : [],
  runner: { scope: 'shard', run: () => Promise.resolve() },
}

/** Takes what a user writes: the types of its parameters must be found out, not declared. */
function jobOf<T>(body: JobBody<T>): JobBody<T>
function jobOf<T>(body: ThroughputDataflow<T>): ThroughputDataflow<T>
function jobOf<T>(body: JobBody<T> | ThroughputDataflow<T>): JobBody<T> | ThroughputDataflow<T> {
  return body
}

const types = new JobTypes(systemClock, [mail])

describe('a body', () => {
  test('may be a function', () => {
    expect(types.runnerOf(() => {}, {}).scope).toBe('shard')
  })

  test('may be a dataflow', () => {
    const body = jobOf({
      fetchData: ({ shardingItem }) => [shardingItem],
      processData: (_context, data) => data.filter((shard) => shard.toFixed() !== '').length,
    })
    expect(types.runnerOf(body, {}).scope).toBe('shard')
  })

  test('may be a dataflow that takes all shards at once', () => {
    const body = jobOf({
      fetchData: ({ shardingItems }: MultiShardingContext) => [...shardingItems],
      processItem: (_context: MultiShardingContext, { shardingItem }) => shardingItem === 0,
    })
    expect(types.runnerOf(body, { 'dataflow.mode': 'THROUGHPUT' }).scope).toBe('instance')
  })

  test('may be a runner', () => {
    const runner = allShards(() => {})
    expect(types.runnerOf(runner, {})).toBe(runner)
  })

  test('may be a type by its name', () => {
    expect(types.runnerOf({ type: 'MAIL' }, { 'mail.to': 'ops@example.org' })).toBe(mail.runner)
    const props = { 'script.command.line': 'true' }
    expect(types.runnerOf({ type: 'SCRIPT' }, props).scope).toBe('shard')
  })

  test.for<[what: string, body: unknown, message: string]>([
    ['of an unknown type', { type: 'EMAIL' }, '"EMAIL" is not known; known are SCRIPT, HTTP, MAIL'],
    ['that lacks what its type needs', { type: 'MAIL' }, 'mail.to: is required'],
    ['that is nothing', {}, 'must be a function'],
    [
      'that is null',
      null,
      'body: must be a function, a dataflow with fetchData, { type } with one of',
    ],
    ['that is undefined', undefined, 'not undefined'],
    ['that is a number', 7, 'not 7'],
    ['that is the name of a type', 'http', 'not the text "http": pass { type: "HTTP" }'],
    ['that is any other text', 'EMAIL', 'not the text "EMAIL"'],
    ['that is an object of no known kind', { execute() {} }, 'not an object with execute'],
    ['that is a symbol', Symbol('body'), 'not Symbol(body)'],
    ['whose type is no text', { type: 7 }, '"7" is not known; known are SCRIPT, HTTP, MAIL'],
    [
      'that is a runner without a function',
      { scope: 'shard', run: 7 },
      'not an object with scope, run',
    ],
    ['that is a runner without a scope', { run: () => {} }, 'not an object with run'],
    ['that fetches with no function', { fetchData: 7, processData() {} }, 'must be functions'],
    ['that only fetches', { fetchData: () => [] }, 'must have either processData or processItem'],
    [
      'that processes in two ways',
      { fetchData: () => [], processData() {}, processItem() {} },
      'must have either processData or processItem',
    ],
  ])('%s is refused', ([, body, message]) => {
    expect(() => types.runnerOf(body as JobBody, {})).toThrow(message)
    expect(() => types.runnerOf(body as JobBody, {})).toThrow(ConfigurationError)
  })

  test('is refused with props that it does not understand', () => {
    const body = { fetchData: () => [], processData() {} }
    expect(() => types.runnerOf(body, { 'dataflow.mode': 'FAST' })).toThrow(
      'dataflow.mode: must be THROUGHPUT, SEQUENCE or absent, not "FAST"',
    )
  })
})

test('a name is given once', () => {
  expect(() => new JobTypes(systemClock, [{ ...mail, name: 'HTTP' }])).toThrow(
    'HTTP: there is a type of this name already; known are SCRIPT, HTTP',
  )
})
