import { expect, it } from 'vitest'
import { findViolations } from './checker.ts'
import { parseLog, type RunLine } from './log-line.ts'

const job = { job: 'ten', shards: 2, fires: [1000, 2000, 3000] }

let runs = 0

function run(shard: number, fireTime: number, change: Partial<RunLine> = {}): RunLine {
  runs += 1
  return {
    job: 'ten',
    shard,
    fireTime,
    start: fireTime + 5,
    end: fireTime + 10,
    instance: '10.0.0.1@-@7-abcdefgh',
    runId: `run-${runs}`,
    source: 'cron',
    ...change,
  }
}

/** Every shard at every fire, once. */
function clean(): RunLine[] {
  return job.fires.flatMap((fireTime) => [run(0, fireTime), run(1, fireTime)])
}

it('finds nothing when every shard ran once at every fire', () => {
  expect(findViolations([job], clean())).toEqual([])
})

it('does not mind the order of the lines, nor whether a fire was run late by somebody else', () => {
  const moved = { start: 1950, end: 1999, instance: '10.0.0.2@-@8-bcdefghi' }
  const lines = clean().map((line) =>
    line.shard === 1 && line.fireTime === 1000 ? { ...line, ...moved } : line,
  )
  expect(findViolations([job], lines.toReversed())).toEqual([])
})

it('does not ask for fires before the first and after the last, and allows them', () => {
  expect(findViolations([job], [...clean(), run(0, 0), run(1, 4000)])).toEqual([])
})

it('names each shard and fire that was missed', () => {
  const lines = clean().filter(({ shard, fireTime }) => !(shard === 1 && fireTime === 2000))
  expect(findViolations([job], lines)).toEqual([
    { kind: 'missed', job: 'ten', shard: 1, fireTime: 2000 },
  ])
})

it('misses everything of a job that left no line', () => {
  const found = findViolations([job, { job: 'gone', shards: 3, fires: [1000, 2000] }], clean())
  expect(found).toHaveLength(6)
  expect(found.every((one) => one.kind === 'missed' && one.job === 'gone')).toBe(true)
})

it('finds a fire that a shard ran twice, also on one instance and without an overlap', () => {
  const lines = clean()
  const second = run(0, 2000, { start: 2500, end: 2501 })
  expect(findViolations([job], [...lines, second])).toEqual([
    { kind: 'repeated', first: lines[2], second },
  ])
})

it('finds a repetition outside of the fires that are asked for', () => {
  const first = run(0, 5000)
  const second = run(0, 5000, { start: 5600, end: 5601 })
  expect(findViolations([job], [...clean(), first, second])).toEqual([
    { kind: 'repeated', first, second },
  ])
})

it('finds runs of one shard at the same time, and not of two', () => {
  const first = run(0, 1000, { end: 2007 })
  const lines = clean().map((line) => (line.shard === 0 && line.fireTime === 1000 ? first : line))
  const second = lines.find(({ shard, fireTime }) => shard === 0 && fireTime === 2000)
  expect(findViolations([job], lines)).toEqual([{ kind: 'overlapping', first, second }])
})

it('finds every run that a long one overlaps', () => {
  const long = run(0, 1000, { end: 3007 })
  const lines = clean().map((line) => (line.shard === 0 && line.fireTime === 1000 ? long : line))
  expect(findViolations([job], lines)).toMatchObject([
    { kind: 'overlapping', first: long, second: { fireTime: 2000 } },
    { kind: 'overlapping', first: long, second: { fireTime: 3000 } },
  ])
})

it('lets a run begin in the millisecond in which the one before it ended', () => {
  const lines = clean().map((line) =>
    line.shard === 0 && line.fireTime === 1000 ? { ...line, end: 2005 } : line,
  )
  expect(findViolations([job], lines)).toEqual([])
})

it.each([
  ['no such job', { job: 'another' }],
  ['no such shard', { shard: 2 }],
  ['before its time', { start: 1999, end: 2000 }],
  ['no such fire', { fireTime: 1500 }],
])('finds a run that should not have been: %s', (reason, change) => {
  const odd = run(0, 2000, { start: 2700, end: 2701, ...change })
  expect(findViolations([job], [...clean(), odd])).toContainEqual({
    kind: 'unexpected',
    reason,
    run: odd,
  })
})

it('reads the lines of a worker, and refuses one that is cut', () => {
  const line = run(0, 1000)
  const event = { event: 'claim:refused', at: 1, worker: 3, payload: {} }
  const text = `${JSON.stringify(line)}\n${JSON.stringify(event)}\n`
  expect(parseLog(text)).toEqual({ runs: [line], events: [event] })
  expect(() => parseLog(text.slice(0, -4))).toThrow(SyntaxError)
})
