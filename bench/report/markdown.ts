import { median, spread } from '../measure/statistics.ts'
import type { Goal, Report, Row, Section } from './report.ts'

/** The report for a reader. */
export function toMarkdown(report: Report): string {
  const { machine, load } = report
  return [
    `# Benchmark: ${report.bench}`,
    '',
    `${report.date}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}, Java ${machine.java}; load ${load.before.toFixed(2)} before, ${load.after.toFixed(2)} after.`,
    '',
    ...Object.entries(report.settings).map(([name, value]) => `- ${name}: ${value}`),
    ...noiseLines(report.sections),
    ...report.sections.flatMap(sectionLines),
    ...(report.notes.length === 0 ? [] : ['', ...report.notes.map((note) => `- ${note}`)]),
    '',
  ].join('\n')
}

/** Says how much a figure differs from round to round: differences below that are none. */
function noiseLines(sections: readonly Section[]): string[] {
  const spreads = sections
    .flatMap(({ rows }) => rows)
    .filter(({ unit }) => unit.endsWith('/s'))
    .flatMap(({ rounds }) => Object.values(rounds))
    .filter((values) => values.length > 1)
    .map(spread)
  if (spreads.length === 0) return []
  const percent = (median(spreads) * 100).toFixed(0)
  return [`- noise: the best and the worst round of a throughput lie ${percent} % apart (median)`]
}

function sectionLines(section: Section): string[] {
  const { title, notes = [] } = section
  const lines = section.subject === undefined ? pairLines(section) : allLines(section)
  const below = notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]
  return ['', `## ${title}`, '', ...lines, ...below]
}

/** One beside all others, with a ratio to each. */
function allLines({ names, subject = '', rows }: Section): string[] {
  const others = names.filter((name) => name !== subject)
  const header = ['', 'unit', ...names, ...others.map((name) => `${subject} / ${name}`)]
  const cells = rows.map((row) => [
    row.what,
    row.unit,
    ...names.map((name) => number(row.values[name] ?? null)),
    ...others.map((name) => {
      const quotient = row.ratios?.[name] ?? null
      return quotient === null ? '' : ratio(quotient)
    }),
  ])
  return table(header, cells)
}

/** One beside one other, and perhaps more of whom the ratio says nothing. */
function pairLines({ names, rows }: Section): string[] {
  const [baseline = '', subject] = names
  const hasGoals = rows.some(({ goal }) => goal !== null)
  const header = [
    '',
    'unit',
    ...names,
    ...(subject === undefined ? [] : [`${subject} / ${baseline}`]),
    ...(hasGoals ? ['goal', 'reached'] : []),
  ]
  const cells = rows.map((row) => [
    row.what,
    row.unit,
    ...names.map((name) => number(row.values[name] ?? null)),
    ...(subject === undefined ? [] : [row.ratio === null ? '' : ratio(row.ratio)]),
    ...(hasGoals ? goalCells(row) : []),
  ])
  return table(header, cells)
}

function goalCells({ goal, reached }: Row): string[] {
  return [goal === null ? '' : describeGoal(goal), reached === null ? '' : reached ? 'yes' : 'no']
}

function describeGoal(goal: Goal): string {
  if ('ownAtMost' in goal) return `itself ≤ ${goal.ownAtMost}`
  return 'atLeast' in goal ? `≥ ${ratio(goal.atLeast)}` : `≤ ${ratio(goal.atMost)}`
}

/** Two digits that count, for a small one as well. */
function ratio(value: number): string {
  return value > 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2)
}

/** Three digits are more than a measurement is worth; whole numbers are not cut. */
function number(value: number | null): string {
  if (value === null) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** Words to the left, figures to the right; padded, for it is read in a terminal, too. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const isText = (column: number): boolean => column < 2
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) =>
      isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(header), line(rule), ...rows.map(line)]
}
