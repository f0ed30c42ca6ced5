import { describe, expect, it } from 'vitest'
import { Journal } from '../journal.ts'
import { type Kind, missingIn, repeatedIn, type Run } from '../run.ts'

const schedule = { period: 4000, shards: 1 }
const java = { name: 'java 1', kind: 'java' } as const

/** A run of the only shard, at its time unless it is said otherwise. */
function run(fire: number, changes: Partial<Run> = {}): Run {
  const begin = changes.begin ?? fire
  return {
    run: `${fire}`,
    job: 'job',
    shard: 0,
    instance: 'instance',
    fire,
    source: 'cron',
    parameter: '',
    peer: `${changes.kind ?? 'ours'} 1`,
    kind: 'ours',
    begin,
    end: begin + 1,
    outcome: 'success',
    ...changes,
  }
}

describe('scheduled times without a run', () => {
  it('are those between the first run and the last', () => {
    expect(missingIn([run(8000), run(20_000)], schedule)).toEqual([
      { shard: 0, fire: 12_000 },
      { shard: 0, fire: 16_000 },
    ])
  })

  it('are not those that ours make up for, having been busy with an earlier one', () => {
    const late = run(8000, { begin: 13_000 })
    expect(missingIn([late, run(16_000, { source: 'misfire' }), run(20_000)], schedule)).toEqual([])
  })

  it.for<[what: string, earlier: Partial<Run>, later: Partial<Run>]>([
    ['nobody was busy', {}, { source: 'misfire' }],
    ['the next run makes up for nothing', { begin: 13_000 }, {}],
    ['it was another kind that was busy', { begin: 13_000, kind: 'java' }, { source: 'misfire' }],
  ])('are missing though there is a later run where %s', ([, earlier, later]) => {
    const runs = [run(8000, earlier), run(16_000, later), run(20_000)]
    expect(missingIn(runs, schedule)).toEqual([{ shard: 0, fire: 12_000 }])
  })
})

describe('scheduled times with two runs', () => {
  it.for<[source: string, kind: Kind, repeated: number]>([
    ['cron', 'java', 1],
    ['cron', 'ours', 1],
    ['misfire', 'ours', 1],
    ['misfire', 'java', 0],
    ['stray', 'java', 0],
  ])('by %s of %s: %d of them too many', ([source, kind, repeated]) => {
    expect(repeatedIn([run(8000), run(8000, { source, kind })])).toHaveLength(repeated)
  })
})

describe('what Java says that it has left out', () => {
  function told(name: string, shards: Readonly<Record<number, number>>): Journal {
    const journal = new Journal()
    const payload = { jobName: 'job', from: 8000, to: 13_000, shards }
    journal.write(java, { event: 'told', name, payload, at: 0 })
    return journal
  }

  it('is what it owned then', () => {
    const journal = told('java:misfired', { 0: 8000 })
    expect(journal.javaLeftOut('job', { shard: 0, fire: 8000 })).toBe('java:misfired')
  })

  it.for<[what: string, item: number, fire: number]>([
    ['the shard was not its own', 1, 12_000],
    ['the shard was not its own yet', 0, 8000],
    ['it says nothing of the time', 0, 16_000],
  ])('is not what is missing where %s', ([, shard, fire]) => {
    expect(told('java:misfired', { 0: 8001 }).javaLeftOut('job', { shard, fire })).toBeUndefined()
  })

  it.for<[kind: Kind, why: string | undefined]>([
    ['java', 'java:scheduled'],
    ['ours', undefined],
  ])('while it had no schedule, if %s runs the shard next', ([kind, why]) => {
    const journal = told('java:scheduled', {})
    const { end: _, outcome: _outcome, kind: _kind, begin, peer, ...line } = run(16_000, { kind })
    journal.write({ name: peer, kind }, { event: 'begin', ...line, at: begin })
    expect(journal.javaLeftOut('job', { shard: 0, fire: 12_000 })).toBe(why)
  })

  it('is no report of an instance of ours', () => {
    expect(told('fire:missed', { 0: 0 }).javaLeftOut('job', { shard: 0, fire: 8000 })).toBe(
      undefined,
    )
  })
})
