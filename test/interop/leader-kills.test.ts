import { eventually } from '../zookeeper/harness/eventually.ts'
import type { JobOptions } from '@elasticjob/core'
import type { Crew } from './crew.ts'
import type { Peer } from './peer.ts'
import { type Due, everyFour, missingIn, repeatedIn, textOf } from './run.ts'
import { besideJava, expect, it } from './support.ts'

/** What became of the fire times that did not run at their time. */
interface Account {
  readonly fireTimes: number
  readonly madeUp: readonly string[]
  readonly reported: readonly string[]
  /** A Java instance that owned the shard says itself that it left the fire time out. */
  readonly leftOutByJava: readonly string[]
  readonly silent: readonly string[]
}

function accountOf({ journal }: Crew, { jobName }: JobOptions): Account {
  const runs = journal.runsOf(jobName)
  const told = journal.toldOf(jobName)
  const isMadeUp = ({ shard, fire }: Due): boolean => {
    const next = runs.find((run) => run.shard === shard && run.source === 'cron' && run.fire > fire)
    return runs.some(
      (run) =>
        run.shard === shard &&
        (run.source === 'failover' || (run.source === 'misfire' && run.kind === 'java')) &&
        run.begin >= fire &&
        run.begin <= (next?.begin ?? Infinity),
    )
  }
  const isReported = ({ shard, fire }: Due): boolean =>
    told.some(({ name, payload }) => {
      const { shardingItem, first, fireTime } = payload as Record<string, number>
      const last = new Date(fireTime ?? 0).getTime()
      if (shardingItem !== shard || fire > last) return false
      if (name === 'run:abandoned') return fire === last
      return (name === 'fire:missed' || name === 'fire:skipped') && fire >= (first ?? last)
    })
  const fires = new Set(runs.filter(({ source }) => source === 'cron').map(({ fire }) => fire))
  const account = {
    fireTimes: fires.size * everyFour.shards,
    madeUp: [] as string[],
    reported: [] as string[],
    leftOutByJava: [] as string[],
    silent: [] as string[],
  }
  for (const due of missingIn(runs, everyFour)) {
    const fate = isMadeUp(due)
      ? account.madeUp
      : isReported(due)
        ? account.reported
        : journal.javaLeftOut(jobName, due) !== undefined
          ? account.leftOutByJava
          : account.silent
    fate.push(textOf(due))
  }
  return account
}

/** Kills the leader, an instance of ours, again and again, each time in a job of two instances of each kind. */
async function killLeaders(crew: Crew, kills: number): Promise<void> {
  const javas = await crew.take('java 1', 'java 2')
  const job = crew.job('ours-leader-is-killed', { failover: true })
  const ours = new Map<string, Peer>()
  const joinOurs = async (): Promise<void> => {
    for (const peer of await crew.take('ours mortal', 'ours mortal-2')) {
      if (![...ours.values()].includes(peer)) ours.set(await peer.start(job), peer)
    }
  }
  await joinOurs()
  for (let kill = 0; kill < kills; kill += 1) {
    const theirs: string[] = []
    await crew.untilLeads(job, ...ours.keys())
    for (const java of javas) theirs.push(await java.start(job))
    await crew.untilAssignedTo(job, ...ours.keys(), ...theirs)
    await crew.untilRuns(job)
    const leader = await crew.untilLeads(job, ...ours.keys())
    await ours.get(leader)?.kill()
    ours.delete(leader)
    await crew.untilAssignedTo(job, ...ours.keys(), ...theirs)
    await crew.untilRuns(job)
    // Whoever leads by now: one of ours does when no Java instance takes part.
    for (const java of javas) await java.stop(job)
    await crew.untilAssignedTo(job, ...ours.keys())
    await joinOurs()
    await crew.untilRuns(job)
  }
  await eventually(
    () => Promise.resolve(accountOf(crew, job).silent.length === 0 || undefined),
    // A fire time that nobody has claimed is reported after the session timeout and ten seconds.
    { what: 'every fire time ran or is reported', timeoutMs: 40_000, intervalMs: 1000 },
  ).catch(() => {})
  const account = accountOf(crew, job)
  process.stderr.write(`${job.jobName}: ${JSON.stringify(account, undefined, 1)}\n`)
  expect(account.silent).toEqual([])
  expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
}

besideJava('a leader of ours that is killed in a job with Java', () => {
  it(
    'leaves no fire time that neither ran nor is reported',
    { tags: ['short'], timeout: 300_000 },
    ({ crew }) => killLeaders(crew, 1),
  )

  it(
    'six times leaves no fire time that neither ran nor is reported',
    { timeout: 900_000 },
    ({ crew }) => killLeaders(crew, 6),
  )
})
