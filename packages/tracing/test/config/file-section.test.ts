import { readElasticJobFile } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import { tracingOptionsOf, tracingSection } from '../../src/config/file-section.ts'
import { tracingDefaults, type TracingOptions } from '../../src/tracing-options.ts'

/** The options in the section of a file. */
function optionsIn(text: string): TracingOptions {
  const environment = { DB_PASSWORD: 'p@ss' }
  const file = readElasticJobFile(text, {
    environment,
    source: 'elasticjob.yaml',
    sections: [tracingSection],
  })
  return tracingOptionsOf(file.sections[tracingSection] ?? {}, '/etc/jobs')
}

describe('tracingOptionsOf', () => {
  test('reads our own keys', () => {
    const text = `
tracing:
  url: sqlite:history.db
  logs: false
  flushInterval: 500
  includeJobNames: [a, b]
  retention:
    days: 7
    runs: 1000
`
    expect(optionsIn(text)).toEqual({
      url: 'sqlite:/etc/jobs/history.db',
      logs: false,
      flushInterval: 500,
      includeJobNames: ['a', 'b'],
      retention: { ...tracingDefaults.retention, age: 7 * 86_400_000, count: 1000 },
    })
  })

  test("reads Spring Boot's keys", () => {
    const text = `
elasticjob:
  tracing:
    type: RDB
    excludeJobNames: noisy
    data-source:
      url: jdbc:mysql://db:3306/jobs
      username: me
      password: \${DB_PASSWORD}
      driver-class-name: com.mysql.cj.jdbc.Driver
`
    expect(optionsIn(text)).toMatchObject({
      url: 'mysql://me:p%40ss@db:3306/jobs',
      excludeJobNames: ['noisy'],
    })
  })

  test('returns the defaults for an empty section', () => {
    expect(optionsIn('jobs: {}')).toEqual({ retention: tracingDefaults.retention })
  })

  test('names every problem', () => {
    const text =
      'tracing:\n  urll: x\n  logs: maybe\n  type: KAFKA\n  dataSource: { url: jdbc:h2:x }'
    expect(() => optionsIn(text)).toThrow(
      /tracing\.urll.*tracing\.logs.*tracing\.type.*tracing\.dataSource\.url/s,
    )
  })
})

test('the section tracing is unknown to a reader that does not ask for it', () => {
  const options = { environment: {}, source: 'elasticjob.yaml' }
  expect(() => readElasticJobFile('tracing:\n  url: x', options)).toThrow(/no such section/)
})
