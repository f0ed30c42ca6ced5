import { describe, expect, test } from 'vitest'

import { mergeReports } from '../report/merge.ts'
import { compare, type Report } from '../report/report.ts'
import { someMachine } from './support/some-machine.ts'

function report(title: string, changes: Partial<Report> = {}): Report {
  const row = compare({ what: 'get', unit: 'ms' }, { ours: [1] }, { subject: 'ours', baseline: '' })
  return {
    bench: 'peers',
    date: '2026-01-02',
    machine: someMachine,
    load: { before: 0.1, after: 1 },
    settings: { server: 'a server' },
    sections: [{ title, names: ['ours'], rows: [row] }],
    notes: [],
    ...changes,
  }
}

describe('reports of parts', () => {
  test('become one, with the sections of all in their order', () => {
    const whole = mergeReports([report('A'), report('B'), report('C')])
    expect(whole.sections.map(({ title }) => title)).toEqual(['A', 'B', 'C'])
  })

  test('keep the settings and notes of all, once each', () => {
    const one = report('A', { notes: ['slow disk'] })
    const other = report('B', { settings: { turns: 'in turns' }, notes: ['slow disk', 'no Redis'] })
    const whole = mergeReports([one, other])
    expect(whole.settings).toEqual({ server: 'a server', turns: 'in turns' })
    expect(whole.notes).toEqual(['slow disk', 'no Redis'])
  })

  test('have the date of the last, and say how busy the machine was at the worst beginning', () => {
    const one = report('A', { date: '2026-01-03', load: { before: 2, after: 1 } })
    const whole = mergeReports([one, report('B', { load: { before: 0.1, after: 0.5 } })])
    expect(whole).toMatchObject({ date: '2026-01-03', load: { before: 2, after: 0.5 } })
  })

  test.for<[what: string, reports: readonly Report[], message: string]>([
    ['of nothing', [], 'nothing to merge'],
    ['of two benchmarks', [report('A'), report('B', { bench: 'fire' })], 'different benchmarks'],
    [
      'of two machines',
      [report('A'), report('B', { machine: { ...report('B').machine, cores: 4 } })],
      'different machines',
    ],
    [
      'with other settings',
      [report('A'), report('B', { settings: { server: 'another' } })],
      'differ in "server"',
    ],
    ['of the same part', [report('A'), report('A')], '"A" was measured twice'],
  ])('%s are no whole', ([, reports, message]) => {
    expect(() => mergeReports(reports)).toThrow(message)
  })
})
