import { readElasticJobFile } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

import {
  metricsOptionsOf,
  metricsSection,
  type SectionOptions,
} from '../../src/config/file-section.ts'

/** What the section of a file comes to. */
function optionsIn(text: string): SectionOptions {
  const { sections } = readElasticJobFile(text, {
    environment: { METRICS_PORT: '9500' },
    source: 'elasticjob.yaml',
    sections: [metricsSection],
  })
  return metricsOptionsOf(sections[metricsSection] ?? {})
}

describe('the section metrics', () => {
  test('says where the figures are, and which', () => {
    const text = `
metrics:
  port: \${METRICS_PORT}
  host: '::1'
  path: /figures
  itemLabel: true
  jobLimit: 1000
`
    expect(optionsIn(text)).toEqual({
      listen: { port: 9500, host: '::1', path: '/figures' },
      figures: { itemLabel: true, jobLimit: 1000 },
    })
  })

  test('may be empty: all is as it usually is', () => {
    expect(optionsIn('metrics:\n')).toEqual({ listen: {}, figures: {} })
  })

  test('takes 0 for a port that is free', () => {
    expect(optionsIn('metrics: { port: 0 }').listen).toEqual({ port: 0 })
  })

  test('names all that is wrong, and what it should be', () => {
    const text =
      'metrics:\n  prot: 1\n  port: 70000\n  host: http://x\n  path: metrics\n  itemLabel: yes please\n  jobLimit: 0'
    expect(() => optionsIn(text)).toThrow(
      new RegExp(
        [
          'metrics.prot: there is no such setting; there are port, host, path, itemLabel, jobLimit',
          'metrics.port: it must be a number from 0 to 65535, not "70000"',
          'metrics.host: it must be an address such as 127.0.0.1, not "http://x"',
          'metrics.path: it must be a path that begins with /, such as /metrics, not "metrics"',
          'metrics.itemLabel: it must be true or false, not "yes please"',
          'metrics.jobLimit: it must be a number from 1 to 1000000, not "0"',
        ].join('[^]*'),
      ),
    )
  })
})
