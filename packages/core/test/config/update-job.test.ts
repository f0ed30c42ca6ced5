import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type JobConfiguration, jobDefaults } from '../../src/config/job-configuration.ts'
import { writeJob } from '../../src/config/job-yaml.ts'
import { readJob } from '../../src/config/read-job.ts'
import { type JobChanges, updateYaml } from '../../src/config/update-job.ts'
import { ConfigurationError } from '../../src/errors.ts'
import { goldenText } from '../support/golden.ts'

function update(text: string, changes: JobChanges): string {
  return updateYaml(text, changes, '/shop/j/config')
}

const handwritten = `# The job of the shop.
cron: 0/5 * * * * ?   # often
description: |
  two
  lines

theirs: !!a.b.C
  - x # of theirs
jobName: j
# How many?
shardingTotalCount: 2
zzz: {a: &b 1, c: *b}
`

describe('updateYaml', () => {
  it('changes a value and nothing else', () => {
    expect(update(handwritten, { shardingTotalCount: 3, cron: '0 0 12 * * ?' })).toBe(
      handwritten
        .replace('shardingTotalCount: 2', 'shardingTotalCount: 3')
        .replace('0/5 * * * * ?', '0 0 12 * * ?'),
    )
  })

  it('keeps what Java instances need for their tracing', () => {
    const golden = goldenText('config/traced.yaml.txt')
    expect(update(golden, { cron: '0/9 * * * * ?', failover: true })).toBe(
      golden.replace('0/5', '0/9').replace('failover: false', 'failover: true'),
    )
  })

  it('puts new keys where Java would, and takes keys out', () => {
    const golden = goldenText('config/minimal.yaml.txt')
    const labelled = update(golden, { label: 'x', props: { a: 'b' } })
    expect(labelled).toContain("jobParameter: ''\nlabel: x\nmaxTimeDiffSeconds: -1\n")
    expect(labelled).toContain('overwrite: false\nprops:\n  a: b\nreconcileIntervalMinutes: 10\n')
    expect(update(labelled, { label: undefined, props: {} })).toBe(golden)
  })

  it('keeps a comment out of a text that takes several lines', () => {
    const text = 'jobName: j\nshardingTotalCount: 1\nlabel: a # why\n'
    const changed = update(text, { label: 'b\nc' })
    expect(changed).toBe('jobName: j\nshardingTotalCount: 1\n# why\nlabel: |-\n  b\n  c\n')
    expect(update(changed, { label: 'd\n\n' })).toContain('label: |+\n  d\n\n')
  })

  it('leaves no second value behind', () => {
    const text = 'label: a\njobName: j\nlabel: b\nshardingTotalCount: 1\n'
    expect(update(text, { label: 'c' })).toBe('jobName: j\nlabel: c\nshardingTotalCount: 1\n')
    expect(update(text, { label: undefined })).toBe('jobName: j\nshardingTotalCount: 1\n')
  })

  it('keeps the older name of the pool setting, for the older instances that wrote it', () => {
    const text = 'jobExecutorServiceHandlerType: CPU\njobName: j\nshardingTotalCount: 1\n'
    const changes = { jobExecutorThreadPoolSizeProviderType: '4' }
    expect(update(text, changes)).toContain("jobExecutorServiceHandlerType: '4'\n")
    expect(update(text, changes)).not.toContain('jobExecutorThreadPoolSizeProviderType')
  })

  it('writes a configuration in braces, or with odd keys, anew and loses nothing of others', () => {
    const flow = '{jobName: j, shardingTotalCount: 1, theirs: !!a.B {x: [1, 2]}, more: {\n  y: z }}'
    const changed = update(flow, { label: 'yes' })
    expect(changed).toBe(
      "jobName: j\nlabel: 'yes'\nshardingTotalCount: 1\ntheirs: !!a.B {x: [1, 2]}\nmore: {\n  y: z }\n",
    )
    const odd =
      '? jobName\n: j\n? theirs\n: - !!a.B\n    c: d\n  - |-\n    e\nshardingTotalCount: 1'
    expect(update(odd, { shardingTotalCount: 2 })).toBe(
      'jobName: j\ntheirs:\n  - !!a.B\n    c: d\n  - |-\n    e\nshardingTotalCount: 2\n',
    )
  })

  it('refuses a value that no instance could act upon, so that it is never stored', () => {
    const change = (): string => update(handwritten, { cron: 'every day', shardingTotalCount: 0 })
    expect(change).toThrow(ConfigurationError)
    expect(change).toThrow(
      /the change of \/shop\/j\/config is not valid:\n {2}shardingTotalCount: [^]*\n {2}cron: /,
    )
  })

  it('judges what is stored already only where a change has to go together with it', () => {
    const spring = 'failover: true\njobName: j\nmonitorExecution: false\nshardingTotalCount: 1\n'
    expect(update(spring, { label: 'x' })).toContain('label: x')
    expect(() => update(spring, { failover: true })).toThrow(/failover: it needs monitorExecution/)
    expect(update(spring, { monitorExecution: true })).toContain('monitorExecution: true')
  })

  it('does not touch a configuration of 2.x', () => {
    const json = '{"jobName":"j","jobType":"SIMPLE","shardingTotalCount":1}'
    expect(() => update(json, { label: 'x' })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('2.x and cannot be changed in part') as string,
        messageParts: expect.objectContaining({
          parameters: { source: '/shop/j/config' },
        }) as object,
      }),
    )
  })

  it('gives what was asked for, whatever the values', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from(' \n:#-\'"a0\u00a0')),
      maxLength: 60,
    })
    const job: JobConfiguration = { ...jobDefaults, jobName: 'j', shardingTotalCount: 1 }
    const changes = fc.record(
      {
        label: fc.option(text, { nil: undefined }),
        description: text,
        jobListenerTypes: fc.array(text, { maxLength: 2 }),
        props: fc.dictionary(text, text, { maxKeys: 2 }),
        misfire: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const changed = update(update(writeJob({ ...job, ...one }), {}), other)
        expect(readJob(changed, 'x').configuration).toEqual({ ...job, ...one, ...other })
      }),
      { numRuns: 300 },
    )
  })
})
