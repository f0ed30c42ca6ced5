import type { JobOptions } from '@elasticjob/core'
import type { Crew } from './crew.ts'
import { repeatedIn } from './run.ts'
import { besideJava, expect, it } from './support.ts'

const everySix = { cron: '0/6 * * * * ?', shardingTotalCount: 6 } as const

/** Resolves a second before the jobs that run every six seconds do; a bell that is late is no warning. */
async function untilSecondBefore(crew: Crew, signal: JobOptions): Promise<number> {
  const now = Date.now()
  const rung = await crew.journal.until('the bell rings', () =>
    crew.journal.runsOf(signal.jobName).find(({ fire, begin }) => fire > now && begin < fire + 300),
  )
  return rung.fire + 1000
}

besideJava('a Java instance that goes right before a fire, under a leader of ours', () => {
  it('what it owned runs at that fire on another Java instance, and on ours', async ({ crew }) => {
    const [ours, java, leaving, ringer] = await crew.take('ours 1', 'java 1', 'java 2', 'ours 2')
    const signal = crew.job('bell', { cron: '5/6 * * * * ?', shardingTotalCount: 1 })
    const job = crew.job('leaves-before-fire', everySix)
    const ourId = await ours.start(job)
    const ids = [ourId, await java.start(job), await leaving.start(job)]
    await ringer.start(signal)
    const before = await crew.untilAssignedTo(job, ...ids)
    await crew.untilRuns(job)
    await untilSecondBefore(crew, signal)
    await leaving.stop(job)
    const after = await crew.untilAssignedTo(job, ...ids.slice(0, 2))
    expect(after.filter((to, shard) => to !== ourId && before[shard] === ids[2])).not.toEqual([])
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(crew.missing(job, { period: 6000, shards: 6 })).toEqual([])
  })

  it('it is said what it missed if it is back at once under the same name', async ({ crew }) => {
    const [ours, java, ringer] = await crew.take('ours 1', 'java 1', 'ours 2')
    const signal = crew.job('bell', { cron: '5/6 * * * * ?', shardingTotalCount: 1 })
    const job = crew.job('back-at-once', everySix)
    const ids = [await ours.start(job), await java.start(job)]
    await ringer.start(signal)
    const owners = await crew.untilAssignedTo(job, ...ids)
    await crew.untilRuns(job)
    const fire = await untilSecondBefore(crew, signal)
    await java.stop(job)
    await crew.journal.until('ours run at the fire', () =>
      crew.journal.runsOf(job.jobName).some((run) => run.fire === fire),
    )
    expect(await java.start(job)).toBe(ids[1])
    const told = await crew.journal.until('what Java did not run is told', () => {
      const missed = crew.journal.toldOf(job.jobName).filter(({ name }) => name === 'fire:missed')
      return missed.length === 3 && missed.map(({ payload }) => payload)
    })
    const itsShards = [...owners.keys()].filter((shard) => owners[shard] === ids[1])
    expect(told.map(({ shardingItem }) => shardingItem)).toEqual(itsShards)
    expect(new Set(told.map(({ fireTime }) => fireTime))).toEqual(new Set([fire]))
    await crew.untilRuns(job)
    expect(await crew.owners(job)).toEqual(owners)
    expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
  })
})
