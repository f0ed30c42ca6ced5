/** Checks that the monitoring docs mention only existing metrics. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, it } from 'vitest'

import { metricNames } from '../src/metrics/catalog.ts'
import { prometheusName } from '../src/prometheus/names.ts'

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8')

const known = new Set(metricNames.map(prometheusName))

function namesIn(text: string): string[] {
  const found = [...text.matchAll(/\belasticjob_[a-z_]+/g)].map(([name]) => name)
  const metrics = found.map((name) => name.replace(/(_seconds)_(bucket|count|sum)$/, '$1'))
  return [...new Set(metrics)]
}

it.each(['monitoring.md', 'monitoring/alerts.yml', 'monitoring/dashboard.json'])(
  '%s mentions only existing metrics',
  (name) => {
    const names = namesIn(read(name))
    expect(names.length).toBeGreaterThan(8)
    expect(names.filter((one) => !known.has(one))).toEqual([])
  },
)

it('every alert has a section in docs/monitoring.md that names it', () => {
  const sections = new Map(
    read('monitoring.md')
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [heading = ''] = section.split('\n', 1)
        return [heading.toLowerCase().replaceAll(' ', '-'), section]
      }),
  )
  const rules = read('monitoring/alerts.yml').split('- alert: ').slice(1)
  expect(rules).toHaveLength(12)
  for (const rule of rules) {
    const [alert = ''] = rule.split('\n', 1)
    const anchor = /runbook: docs\/monitoring\.md#(\S+)/.exec(rule)?.[1] ?? ''
    expect(sections.get(anchor)).toContain(`\`${alert}\``)
  }
})
