import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type JobConfiguration, jobDefaults } from '../../src/config/job-configuration.ts'
import { writeJob } from '../../src/config/job-yaml.ts'
import { readJob } from '../../src/config/read-job.ts'
import { goldenLines, goldenText } from '../support/golden.ts'

const minimal: JobConfiguration = {
  ...jobDefaults,
  jobName: 'minimal',
  shardingTotalCount: 1,
  cron: '*/5 * * * * ?',
}

const written = goldenLines<{ job: JobConfiguration }, { yaml: string }>('config/java-writes.jsonl')

describe('writeJob', () => {
  it('writes what Java writes, byte for byte, whatever the texts are', () => {
    expect(written.length).toBeGreaterThan(200)
    for (const { question, answer } of written) {
      const job = { ...question.job, jobExtraConfigurations: [] }
      expect(writeJob(job)).toBe(answer.yaml)
    }
  })

  it('writes the least that Java writes', () => {
    expect(writeJob(minimal)).toBe(goldenText('config/minimal.yaml.txt'))
  })

  it('writes every key, properties in the order of the alphabet', () => {
    const golden = goldenText('config/full.yaml.txt')
    const text = writeJob(readJob(golden, 'full').configuration)
    expect(text.split('\n').toSorted()).toEqual(golden.split('\n').toSorted())
    expect(text).toContain("props:\n  email.host: mail.example.com\n  email.port: '465'\n")
  })

  it('writes the extensions of Java instances as they were, tags included', () => {
    const golden = goldenText('config/traced.yaml.txt')
    const { configuration } = readJob(golden, 'traced')
    expect(configuration.jobExtraConfigurations).toHaveLength(1)
    expect(configuration.jobExtraConfigurations[0]).toMatch(
      /^!!org\.apache\.shardingsphere\.elasticjob\.kernel\.tracing\.yaml\.YamlTracingConfiguration\n/,
    )
    expect(writeJob(configuration)).toBe(golden)
  })

  it('writes control characters and Unicode line breaks so that they come back', () => {
    const jobParameter = 'a\u0000b\u0007c\u001bd\u007fe\u0085f\u2028g\u2029h\ufffei'
    const text = writeJob({ ...minimal, jobParameter })
    expect(text).toContain(String.raw`jobParameter: "a\x00b\x07c\x1bd\x7fe\Nf\Lg\Ph\ufffei"`)
    expect(readJob(text, 'odd').configuration.jobParameter).toBe(jobParameter)
  })
})

describe('writeJob and readJob', () => {
  const someText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(...Array.from(' \n\t:#-\'"\\?,[]{}&*!|>%@`a0~.=')),
      maxLength: 120,
    }),
  )
  const someJob = fc.record({
    jobParameter: someText,
    description: someText,
    shardingItemParameters: someText,
    label: fc.option(someText, { nil: undefined }),
    jobErrorHandlerType: fc.option(someText, { nil: undefined }),
    jobListenerTypes: fc.array(someText, { maxLength: 3 }),
    props: fc.dictionary(someText, someText, { maxKeys: 4 }),
    failover: fc.boolean(),
    maxTimeDiffSeconds: fc.integer({ min: -1, max: 2 ** 31 - 1 }),
  })

  it('are each other inverted', () => {
    fc.assert(
      fc.property(someJob, (values) => {
        const job = { ...minimal, ...values }
        expect(readJob(writeJob(job), 'some').configuration).toEqual(job)
      }),
      { numRuns: 400 },
    )
  })
})
