import { parseCron } from '@elasticjob/core/cron'

import { type BenchOptions, isChosen } from '../command-line.ts'
import { effortOf } from '../measure/effort.ts'
import { progress } from '../measure/progress.ts'
import { compare, type Findings, type Row } from '../report/report.ts'

const ours = 'elasticjob'
/** A zone that sets its clock twice a year. */
const timeZone = 'America/New_York'
const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2036, 0, 1)]

const expressions = [
  '0/10 * * * * ?',
  '0 * * * * ?',
  '0 0/5 14,18 * * ?',
  '0 15 10 ? * MON-FRI',
  '0 15 10 L * ?',
  '0 15 10 LW * ?',
  '0 15 10 15W * ?',
  '0 15 10 ? * 6#3',
  '0 0 12 1 1 ?',
  '0 0 0 29 2 ?',
]

/** `cron`: how many fire times an expression gives in a second, each asked from the one before. */
export async function benchCron({ quick, only }: BenchOptions): Promise<Findings> {
  const { rounds, ops } = effortOf(quick)
  const chosen = expressions.filter((expression) => isChosen(expression, only))
  const rows = chosen.map((expression) => measure(expression, rounds, ops * 10))
  return {
    settings: {
      'each figure': `the median of ${rounds} rounds of ${(ops * 10).toLocaleString('en')} calls of next(), the first round not counted`,
      'time zone': timeZone,
    },
    sections: rows.length === 0 ? [] : [{ title: 'Fire times', names: [ours], rows }],
    notes: [],
  }
}

function measure(expression: string, rounds: number, calls: number): Row {
  progress(expression)
  const [, ...counted] = Array.from({ length: rounds + 1 }, () => callsPerSecond(expression, calls))
  const metric = { what: expression, unit: 'next/s' }
  return compare(metric, { [ours]: counted }, { subject: ours, baseline: '' })
}

function callsPerSecond(expression: string, calls: number): number {
  const cron = parseCron(expression, { timeZone })
  const start = performance.now()
  let date = new Date(from)
  for (let call = 0; call < calls; call++) {
    const next = cron.next(date)
    date = next === null || next.getTime() > to ? new Date(from) : next
  }
  return (calls / (performance.now() - start)) * 1000
}
