import { describe, expect, it } from 'vitest'

import type { JobConfiguration } from '../../src/config/job-configuration.ts'
import { readJob } from '../../src/config/read-job.ts'
import { type ElasticJobError, isElasticJobError } from '../../src/errors.ts'
import { goldenLines } from '../support/golden.ts'

const base = 'jobName: j\nshardingTotalCount: 1\n'

function read(yaml: string): JobConfiguration {
  return readJob(yaml, '/shop/j/config').configuration
}

function errorOf(yaml: string): ElasticJobError {
  try {
    read(yaml)
  } catch (error) {
    if (isElasticJobError(error)) return error
    throw error
  }
  throw new Error('it was read')
}

const answers = goldenLines<{ yaml: string }, { job: Record<string, unknown> }>(
  'config/java-reads.jsonl',
)

describe('readJob', () => {
  it('reads what Java reads as Java reads it', () => {
    const accepted = answers.filter(({ answer }) => answer.refused === undefined)
    expect(accepted.length).toBeGreaterThan(80)
    for (const { question, answer } of accepted) {
      const job = read(question.yaml) as unknown as Record<string, unknown>
      for (const [key, value] of Object.entries(answer.job)) {
        expect(job[key] ?? null, `${key} of ${question.yaml}`).toEqual(value)
      }
    }
  })

  it.each([
    ['disabled: y', 'disabled must be true or false, not "y" (line 3, column 11)'],
    ['disabled:', 'disabled must be true or false, not ""'],
    ['maxTimeDiffSeconds: 1.5', 'maxTimeDiffSeconds must be a whole number of 32 bits, not "1.5"'],
    ['maxTimeDiffSeconds: 2147483648', 'of 32 bits, not "2147483648"'],
    ['jobParameter: [a, b]', 'jobParameter must be a text (line 3, column 15)'],
    ['props: x', 'props must be a mapping'],
    ['jobListenerTypes: a', 'jobListenerTypes must be a list'],
    ['label: [a', '(line 3, column 10)'],
    ['cron: */5 * * * * ?', 'line 3'],
    ['? [a]\n: b', 'a key must be a text'],
    ['shardingTotalCount: 0', 'shardingTotalCount is missing or not above 0'],
    ["jobName: ''", 'jobName is missing'],
  ])('says what is wrong with "%s" and where', (line, message) => {
    const error = errorOf(base + line)
    expect(error.code).toBe('JOB_CONFIGURATION_UNREADABLE')
    expect(error.message).toContain('the configuration in /shop/j/config cannot be read: ')
    expect(error.message).toContain(message)
    expect(error.messageParts?.text).toBe(error.message)
  })

  it.each([
    ['', 'it is empty'],
    ['# only a comment', 'it is empty'],
    ['just words', 'it is not a mapping'],
    ['shardingTotalCount: 2', 'jobName is missing'],
    [`${base}---\na: b\n`, 'multiple documents'],
  ])('refuses %j', (text, message) => {
    expect(errorOf(text).message).toContain(message)
  })

  it('takes what is absent for what Java takes it for, not for the defaults of a new job', () => {
    expect(read(base)).toMatchObject({
      monitorExecution: false,
      misfire: false,
      reconcileIntervalMinutes: 0,
      maxTimeDiffSeconds: -1,
      cron: undefined,
    })
  })

  it('knows the pool setting by both of its names', () => {
    const key = 'jobExecutorThreadPoolSizeProviderType'
    expect(read(`${base}jobExecutorServiceHandlerType: CPU\n`)[key]).toBe('CPU')
    expect(read(`${base}${key}: SINGLE_THREAD\n`)[key]).toBe('SINGLE_THREAD')
  })

  it('does not mind keys and tags of others', () => {
    expect(read(`${base}theirs: !!a.b.C {x: 1}\nlabel: mine\n`).label).toBe('mine')
  })

  it('takes the last of two values, and an empty cron expression for none', () => {
    expect(read(`${base}label: a\nlabel: b\n`).label).toBe('b')
    expect(read(`${base}cron: ''\n`).cron).toBeUndefined()
  })

  it('leaves a property without a value out, and is not fooled by odd names', () => {
    const { props } = read(`${base}props: {a: , b: ~, __proto__: x, constructor: y}\n`)
    expect(Object.entries(props)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })

  it('leaves listeners without a name out', () => {
    expect(read(`${base}jobListenerTypes: [a, ~, yes]\n`).jobListenerTypes).toEqual(['a', 'yes'])
  })

  it('keeps the text of extensions in any style', () => {
    const yaml = `${base}jobExtraConfigurations:\n  - !!a.B\n    x:\n      y: 1\n  - !<tag:c,2000:D> {e: f}\n  - &g\n    h: |-\n      i\n\n      j\n`
    expect(read(yaml).jobExtraConfigurations).toEqual([
      '!!a.B\nx:\n  y: 1',
      '!<tag:c,2000:D> {e: f}',
      '&g\nh: |-\n  i\n\n  j',
    ])
  })
})
