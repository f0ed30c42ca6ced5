import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { catalog, metricNames } from '../../src/metrics/catalog.ts'
import { openTelemetryName } from '../../src/opentelemetry/names.ts'
import { prometheusName } from '../../src/prometheus/names.ts'

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/monitoring.md', import.meta.url)),
  'utf8',
)

describe('every figure', () => {
  it.each(metricNames)('%s follows the naming rules of each ecosystem', (name) => {
    const { kind, unit } = catalog[name]
    const prometheus = prometheusName(name)
    expect(prometheus).toMatch(/^elasticjob(_[a-z]+)+$/)
    expect(prometheus.endsWith('_total')).toBe(kind === 'counter' || kind === 'total')
    expect(prometheus.includes('_seconds')).toBe(unit === 's')
    expect(openTelemetryName(name)).toMatch(/^elasticjob(\.[a-z]+)+$/)
    expect(unit).toMatch(/^(s|\{[a-z]+\})$/)
  })

  it.each(metricNames)('%s has a help text', (name) => {
    expect(page).toContain(`\`${prometheusName(name)}\``)
    expect(page).toContain(`\`${openTelemetryName(name)}\``)
  })
})
