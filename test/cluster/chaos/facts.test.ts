import { expect, it } from 'vitest'
import type { LoggedLife } from './crew.ts'
import { factsOf } from './facts.ts'
import { type LogLine, parseLog } from './log-line.ts'

const instance = '10.0.0.1@-@1-a'

function life(lines: readonly LogLine[], changes: Partial<LoggedLife> = {}): LoggedLife {
  return { worker: 1, frozen: [], ended: undefined, logFile: '', lines, ...changes }
}

function begin(at: number, run: string): LogLine {
  const rest = {
    job: 'job',
    shard: 0,
    fireTime: 1000,
    claimedAt: 0,
    attempt: 1,
    source: 'cron',
    instance,
  }
  return { kind: 'begin', at, run, token: '77', offset: 3, ...rest }
}

const wire = {
  leasesOf: (name: string) => (name === instance ? [[0, 9000] as const] : []),
  run: (run: string) => (run === 'r1' ? { begin: 1001, end: 1500 } : undefined),
}

it('puts together what the lines say of a run, and what the wire does', () => {
  const lines: LogLine[] = [
    begin(1010, 'r1'),
    { kind: 'tick', at: 1110, run: 'r1' },
    { kind: 'tick', at: 1210, run: 'r1' },
    { kind: 'saved', at: 1220, run: 'r1', offset: 4 },
    { kind: 'abort', at: 1250, run: 'r1' },
    { kind: 'end', at: 1310, run: 'r1' },
  ]
  expect(factsOf([life(lines)], wire).runs).toEqual([
    {
      job: 'job',
      shard: 0,
      fireTime: 1000,
      claimedAt: 0,
      attempt: 1,
      source: 'cron',
      instance,
      run: 'r1',
      token: 77n,
      offset: 3,
      saved: [{ at: 1220, offset: 4 }],
      process: 0,
      begin: 1010,
      ticks: [1110, 1210],
      aborted: 1250,
      end: 1310,
      lease: [[0, 9000]],
      written: { begin: 1001, end: 1500 },
    },
  ])
})

it('lets a run end with its process, and not before', () => {
  const of = factsOf([life([begin(1000, 'r2')], { ended: 4000 }), life([begin(500, 'r3')])], wire)
  expect(of.runs).toMatchObject([
    { run: 'r3', process: 1, end: Infinity, written: undefined },
    { run: 'r2', process: 0, end: 4000 },
  ])
})

it('knows when a process stood still, whoever noticed it', () => {
  const lines: LogLine[] = [{ kind: 'stall', at: 900, late: 300 }]
  expect(factsOf([life(lines, { frozen: [[100, 200]] })], wire).still).toEqual([
    [
      [100, 200],
      [600, 900],
    ],
  ])
})

it('keeps events with their process, and manual runs that were accepted', () => {
  const told: LogLine = { kind: 'event', at: 5, event: 'fire:missed', payload: { fireTime: 1 } }
  const asked: LogLine = { kind: 'asked', at: 6, job: 'job', fireTime: 3 }
  const of = factsOf([life([]), life([told, asked])], wire)
  expect(of.events).toMatchObject([{ event: 'fire:missed', process: 1, payload: { fireTime: 1 } }])
  expect(of.asked).toMatchObject([{ job: 'job', fireTime: 3 }])
})

it('reads a log line by line, and refuses one that is cut', () => {
  const text = `${JSON.stringify(begin(1, 'r1'))}\n${JSON.stringify(begin(2, 'r2'))}\n`
  expect(parseLog(text)).toHaveLength(2)
  expect(() => parseLog(text.slice(0, -4))).toThrow(SyntaxError)
})
