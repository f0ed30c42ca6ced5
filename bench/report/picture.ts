/** The ratios of a report as a picture: one bar each, on a logarithmic scale, with a line where both are equal. */
import type { Report, Row } from './report.ts'

interface Bar {
  readonly section: string
  readonly what: string
  readonly ratio: number
  readonly goal: number | undefined
  readonly reached: boolean | null
}

const width = 900
const labelWidth = 430
const rowHeight = 22
const headHeight = 30
const margin = 16
/** Beyond these nobody can tell bars apart. */
const smallest = 1e-4
const largest = 1e2

/** An SVG that is readable on light ground and on dark. */
export function toPicture(report: Report): string {
  const bars = report.sections.flatMap(({ title, rows }) =>
    rows.flatMap((row) => barsOf(title, row)),
  )
  const scale = scaleOf(bars)
  const lines: string[] = []
  let y = margin + 44
  let section = ''
  for (const bar of bars) {
    if (bar.section !== section) {
      section = bar.section
      y += headHeight
      lines.push(`<text class="head" x="${margin}" y="${y - 8}">${escaped(section)}</text>`)
    }
    lines.push(...barLines(bar, y, scale))
    y += rowHeight
  }
  const height = y + margin
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`Benchmark ${report.bench}: ratios`)}">`,
    styles,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="${margin}" y="${margin + 14}">${escaped(`Benchmark ${report.bench}: ours divided by the other's`)}</text>`,
    `<text class="note" x="${margin}" y="${margin + 34}">${escaped(`to the left: less than the other; a tick is the goal, red is a goal that was not reached. ${report.date}, ${report.machine.cpu}, ${report.machine.cores} cores`)}</text>`,
    ...gridLines(scale, margin + 48, height - margin),
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}

function barsOf(section: string, row: Row): Bar[] {
  const { what, ratio, ratios, goal, reached } = row
  if (ratios !== undefined) {
    return Object.entries(ratios).flatMap(([name, quotient]) =>
      barsOf(section, {
        what: `${what}, beside ${name}`,
        unit: row.unit,
        values: {},
        rounds: {},
        ratio: quotient,
        goal,
        reached,
      }),
    )
  }
  if (ratio === null || !(ratio >= 0)) return []
  const wanted =
    goal === null || 'ownAtMost' in goal
      ? undefined
      : 'atLeast' in goal
        ? goal.atLeast
        : goal.atMost
  return [{ section, what, ratio, goal: wanted, reached }]
}

interface Scale {
  readonly low: number
  readonly high: number
  /** The place of a ratio, in the picture. */
  readonly at: (ratio: number) => number
}

/** Whole powers of ten around everything that is shown, and around 1. */
export function scaleOf(bars: readonly Pick<Bar, 'ratio' | 'goal'>[]): Scale {
  const values = [
    1,
    ...bars.flatMap(({ ratio, goal }) => (goal === undefined ? [ratio] : [ratio, goal])),
  ]
  const within = values.map((value) => Math.min(Math.max(value, smallest), largest))
  const low = Math.min(Math.floor(Math.log10(Math.min(...within))), -1)
  const high = Math.max(Math.ceil(Math.log10(Math.max(...within))), 0)
  const room = width - labelWidth - margin - 70
  return {
    low,
    high,
    at: (ratio) => {
      const clamped = Math.min(Math.max(ratio, 10 ** low), 10 ** high)
      return round(labelWidth + ((Math.log10(clamped) - low) / (high - low)) * room)
    },
  }
}

function barLines({ what, ratio, goal, reached }: Bar, y: number, scale: Scale): string[] {
  const one = scale.at(1)
  const end = scale.at(ratio)
  const [x, length] = [Math.min(one, end), Math.max(Math.abs(one - end), 1)]
  const kind = reached === false ? 'missed' : ratio <= 1 ? 'less' : 'more'
  return [
    `<text class="label" x="${labelWidth - 10}" y="${y + 11}">${escaped(what)}</text>`,
    `<rect class="${kind}" x="${x}" y="${y + 1}" width="${round(length)}" height="13" rx="2"/>`,
    ...(goal === undefined ? [] : [`<path class="goal" d="M${scale.at(goal)} ${y - 1}v17"/>`]),
    `<text class="figure" x="${width - margin}" y="${y + 11}">${escaped(metric(ratio))}</text>`,
  ]
}

function gridLines({ low, high, at }: Scale, top: number, bottom: number): string[] {
  const powers = Array.from({ length: high - low + 1 }, (_, index) => low + index)
  return powers.flatMap((power) => {
    const x = at(10 ** power)
    const text = power < 0 ? `1/${(10 ** -power).toLocaleString('en')}` : `${10 ** power}`
    return [
      `<path class="${power === 0 ? 'one' : 'grid'}" d="M${x} ${top + 6}V${bottom}"/>`,
      `<text class="power" x="${x}" y="${top}">${text}</text>`,
    ]
  })
}

/** As people say it: an eighth rather than 0.125. */
function metric(ratio: number): string {
  if (ratio === 0) return '0'
  if (ratio >= 0.95) return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`
  return `1/${(1 / ratio).toFixed(1 / ratio < 10 ? 1 : 0)}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

const styles = `<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.head { font-weight: 600 }
.note, .power { fill: #59636e; font-size: 11px }
.power { text-anchor: middle }
.label, .figure { text-anchor: end }
.ground { fill: #ffffff }
.less { fill: #1a7f37 } .more { fill: #9a6700 } .missed { fill: #cf222e }
.goal { stroke: #1f2328; stroke-width: 2 }
.grid { stroke: #d1d9e0 } .one { stroke: #59636e; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .note, .power { fill: #9198a1 } .ground { fill: #0d1117 }
  .less { fill: #2ea043 } .more { fill: #bf8700 } .missed { fill: #f85149 }
  .goal { stroke: #f0f6fc } .grid { stroke: #3d444d } .one { stroke: #9198a1 }
}
</style>`
