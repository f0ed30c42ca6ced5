import { describe, expect, it } from 'vitest'

import { monitoringOf, monitoringProblemsOf } from '../../src/config/monitoring.ts'

describe('monitoring', () => {
  it('opens no port and counts nothing unless it is told to', () => {
    expect(monitoringOf({})).toEqual({ port: undefined, countInterval: 0 })
    expect(monitoringOf({ 'monitor.port': '-1' })).toEqual({ port: undefined, countInterval: 0 })
  })

  it('takes what the props say', () => {
    const props = { 'monitor.port': '9888', 'process.count.interval.seconds': '300' }
    expect(monitoringProblemsOf(props)).toEqual([])
    expect(monitoringOf(props)).toEqual({ port: 9888, countInterval: 300_000 })
  })

  it.each([
    ['monitor.port', '-2'],
    ['monitor.port', '65536'],
    ['monitor.port', 'x'],
    ['process.count.interval.seconds', '-1'],
    ['process.count.interval.seconds', '1.5'],
  ])('%s cannot be %s', (key, value) => {
    const problems = monitoringProblemsOf({ [key]: value })
    expect(problems.map((problem) => problem.key)).toEqual([key])
    expect(problems[0]?.messageParts?.text).toBe(problems[0]?.message)
  })
})
