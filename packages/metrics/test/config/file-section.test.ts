import { readElasticJobFile } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import {
  metricsOptionsOf,
  metricsSection,
  type SectionOptions,
} from '../../src/config/file-section.ts'

/** The options in the section of a file. */
function optionsIn(text: string): SectionOptions {
  const { sections } = readElasticJobFile(text, {
    environment: { METRICS_PORT: '9500' },
    source: 'elasticjob.yaml',
    sections: [metricsSection],
  })
  return metricsOptionsOf(sections[metricsSection] ?? {})
}

describe('metricsOptionsOf', () => {
  test('reads where to serve which metrics', () => {
    const text = `
metrics:
  port: \${METRICS_PORT}
  host: '::1'
  path: /metrics
  shardLabel: true
  jobLimit: 1000
`
    expect(optionsIn(text)).toEqual({
      listen: { port: 9500, host: '::1', path: '/metrics' },
      metrics: { shardLabel: true, jobLimit: 1000 },
    })
  })

  test('returns the defaults for an empty section', () => {
    expect(optionsIn('metrics:\n')).toEqual({ listen: {}, metrics: {} })
  })

  test('accepts port 0 for any free port', () => {
    expect(optionsIn('metrics: { port: 0 }').listen).toEqual({ port: 0 })
  })

  test('names every problem with the expected value', () => {
    const text =
      'metrics:\n  prot: 1\n  port: 70000\n  host: http://x\n  path: metrics\n  shardLabel: yes please\n  jobLimit: 0'
    expect(() => optionsIn(text)).toThrow(
      new RegExp(
        [
          'metrics.prot: there is no such setting; known settings: port, host, path, shardLabel, jobLimit',
          'metrics.port: it must be an integer from 0 to 65535, not "70000"',
          'metrics.host: it must be an address, for example 127.0.0.1, not "http://x"',
          'metrics.path: it must be a path that begins with /, for example /metrics, not "metrics"',
          'metrics.shardLabel: it must be true or false, not "yes please"',
          'metrics.jobLimit: it must be an integer from 1 to 1000000, not "0"',
        ].join('[^]*'),
      ),
    )
  })
})
