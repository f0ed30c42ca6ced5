import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  parameterOf,
  storedParameter,
  validParameter,
  withValidParameter,
} from '../../src/job-types/parameter.ts'
import { allShards } from '../../src/job-types/multi-shard.ts'
import { simple } from '../../src/job-types/simple.ts'
import { instanceContext, shardContext, TestControl } from './support/contexts.ts'

const schema = z.object({ region: z.string(), since: z.coerce.date() })
const text = '{"region":"eu","since":"2026-01-01"}'

describe('the parameter of a job', () => {
  it.each([
    ['', undefined],
    ['{"a":[1]}', { a: [1] }],
    ['5', 5],
    ['2026-01-01', '2026-01-01'],
  ])('is read from %j as %j', (stored, value) => {
    expect(parameterOf(stored)).toEqual(value)
  })

  it('is stored as JSON, a text as it is', () => {
    expect(storedParameter('j', { a: 1 })).toBe('{"a":1}')
    expect(storedParameter('j', 'Beijing')).toBe('Beijing')
  })

  it.each([[() => {}], [1n], [Symbol('s')]])('is refused if it is no JSON value: %s', (value) => {
    expect(() => storedParameter('j', value)).toThrow(
      expect.objectContaining({ code: 'JOB_PARAMETER_INVALID' }),
    )
  })

  it('is converted by its schema', async () => {
    const value = await validParameter('j', schema, JSON.parse(text))
    expect(value).toEqual({ region: 'eu', since: new Date('2026-01-01') })
  })

  it('is refused with every issue and its place', async () => {
    const refused = validParameter('j', schema, { region: 5, since: 'never' })
    await expect(refused).rejects.toThrow(/job j is not valid: region: .*; since: /)
  })
})

describe('a runner with a schema', () => {
  it('gives each shard the checked value', async () => {
    const given: unknown[] = []
    const runner = withValidParameter(
      simple(({ parameter }) => void given.push(parameter)),
      schema,
    )
    if (runner.scope !== 'shard') throw new Error('wrong scope')
    await runner.run(shardContext({ jobParameter: text }), new TestControl())
    expect(given).toEqual([{ region: 'eu', since: new Date('2026-01-01') }])
  })

  it('gives it to all shards of one call', async () => {
    const given: unknown[] = []
    const body = allShards(({ parameter, shardingItems }) => {
      given.push(parameter, ...shardingItems.map((shard) => shard.parameter))
    })
    const runner = withValidParameter(body, schema)
    if (runner.scope !== 'instance') throw new Error('wrong scope')
    await runner.run(instanceContext({ jobParameter: text }), new TestControl())
    expect(given).toHaveLength(3)
    expect(new Set(given).size).toBe(1)
  })

  it('does not run with a parameter that is not valid', async () => {
    let hasRun = false
    const runner = withValidParameter(
      simple(() => {
        hasRun = true
      }),
      schema,
    )
    if (runner.scope !== 'shard') throw new Error('wrong scope')
    const run = runner.run(shardContext({ jobParameter: '{}' }), new TestControl())
    await expect(run).rejects.toMatchObject({ code: 'JOB_PARAMETER_INVALID' })
    expect(hasRun).toBe(false)
  })

  it('still stops the runner inside', async () => {
    let hasStopped = false
    const inner = { ...simple(() => {}), stop: () => Promise.resolve(void (hasStopped = true)) }
    await withValidParameter(inner, schema).stop?.()
    expect(hasStopped).toBe(true)
  })
})
