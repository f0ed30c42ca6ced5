import { describe, expect, test } from 'vitest'

import { systemClock } from '../../src/clock.ts'
import type { MultiShardingContext } from '../../src/job-types/context.ts'
import type { ThroughputDataflow } from '../../src/job-types/dataflow/dataflow.ts'
import type { JobType } from '../../src/job-types/job-type.ts'
import { type JobBody, JobTypes } from '../../src/job-types/job-types.ts'
import { allItems } from '../../src/job-types/multi-shard.ts'

const mail: JobType = {
  name: 'MAIL',
  problemsOf: (props) =>
    props['mail.to'] === undefined ? [{ key: 'mail.to', message: 'is required' }] : [],
  runner: { scope: 'item', run: () => Promise.resolve() },
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
    expect(types.runnerOf(() => {}, {}).scope).toBe('item')
  })

  test('may be a dataflow', () => {
    const body = jobOf({
      fetchData: ({ shardingItem }) => [shardingItem],
      processData: (_context, data) => data.filter((item) => item.toFixed() !== '').length,
    })
    expect(types.runnerOf(body, {}).scope).toBe('item')
  })

  test('may be a dataflow that takes all items at once', () => {
    const body = jobOf({
      fetchData: ({ shardingItems }: MultiShardingContext) => [...shardingItems],
      processItem: (_context: MultiShardingContext, { shardingItem }) => shardingItem === 0,
    })
    expect(types.runnerOf(body, { 'dataflow.mode': 'THROUGHPUT' }).scope).toBe('instance')
  })

  test('may be a runner', () => {
    const runner = allItems(() => {})
    expect(types.runnerOf(runner, {})).toBe(runner)
  })

  test('may be a type by its name', () => {
    expect(types.runnerOf({ type: 'MAIL' }, { 'mail.to': 'ops@example.org' })).toBe(mail.runner)
    const props = { 'script.command.line': 'true' }
    expect(types.runnerOf({ type: 'SCRIPT' }, props).scope).toBe('item')
  })

  test.for<[what: string, body: unknown, message: string]>([
    ['of an unknown type', { type: 'EMAIL' }, '"EMAIL" is not known; known are SCRIPT, HTTP, MAIL'],
    ['that lacks what its type needs', { type: 'MAIL' }, 'mail.to: is required'],
    ['that is nothing', {}, 'must be a function'],
    ['that only fetches', { fetchData: () => [] }, 'must have either processData or processItem'],
    [
      'that processes in two ways',
      { fetchData: () => [], processData() {}, processItem() {} },
      'must have either processData or processItem',
    ],
  ])('%s is refused', ([, body, message]) => {
    expect(() => types.runnerOf(body as JobBody, {})).toThrow(message)
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
