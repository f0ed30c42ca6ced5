import type { JobOptions } from '@elasticjob/core'
import { eventually } from '../zookeeper/harness/eventually.ts'
import type { Peer } from './peer.ts'
import { everyFour, type Kind, repeatedIn, type Run } from './run.ts'
import { besideJava, expect, it } from './support.ts'

/** Who starts first leads. */
async function startBoth(
  job: JobOptions,
  leads: Kind,
  java: Peer,
  ours: Peer,
): Promise<Readonly<Record<Kind, string>>> {
  const first = await (leads === 'java' ? java : ours).start(job)
  const second = await (leads === 'java' ? ours : java).start(job)
  return leads === 'java' ? { java: first, ours: second } : { java: second, ours: first }
}

function kindsOf(runs: readonly Run[]): readonly Kind[] {
  return [...new Set(runs.map(({ kind }) => kind))]
}

besideJava('what operators do to instances of the other kind', () => {
  for (const leads of ['java', 'ours'] as const satisfies readonly Kind[]) {
    it(`${leads} leads: our operator disables the server of a Java instance, and enables it`, async ({
      crew,
      operations,
    }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('ours-disables')
      const ids = await startBoth(job, leads, java, ours)
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      await operations.disable({ job: job.jobName, server: java.ip })
      await crew.untilAssignedTo(job, ids.ours)
      expect(await crew.untilLeads(job, ids.ours)).toBe(ids.ours)
      expect(kindsOf(await crew.untilRuns(job))).toEqual(['ours'])
      await operations.enable({ job: job.jobName, server: java.ip })
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      const runs = crew.journal.runsOf(job.jobName)
      expect(repeatedIn(runs)).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
    })

    it(`${leads} leads: the operator of Java disables the server of ours, and enables it`, async ({
      crew,
    }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('java-disables')
      const ids = await startBoth(job, leads, java, ours)
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      await java.operate('disable', job, { ip: ours.ip })
      await crew.untilAssignedTo(job, ids.java)
      expect(await crew.untilLeads(job, ids.java)).toBe(ids.java)
      expect(kindsOf(await crew.untilRuns(job))).toEqual(['java'])
      await java.operate('enable', job, { ip: ours.ip })
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
    })
  }

  it(
    'a shard that either operator disables runs nowhere until it is enabled',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('shards')
      const javaId = await java.start(job)
      const ourId = await ours.start(job)
      const owners = await crew.untilAssignedTo(job, javaId, ourId)
      const ofJava = owners.indexOf(javaId)
      const ofOurs = owners.indexOf(ourId)
      await operations.disableShard(job.jobName, ofJava)
      await java.operate('disable-shard', job, { shard: `${ofOurs}` })
      const since = Date.now()
      await crew.untilRuns(job, 2)
      await crew.untilRuns(job, 2)
      const off = crew.journal.runsOf(job.jobName).filter(({ fire }) => fire > since)
      expect(off.map(({ shard: shardingItem }) => shardingItem)).not.toContain(ofJava)
      expect(off.map(({ shard: shardingItem }) => shardingItem)).not.toContain(ofOurs)
      await operations.enableShard(job.jobName, ofOurs)
      await java.operate('enable-shard', job, { shard: `${ofJava}` })
      await crew.untilRuns(job)
      const runs = crew.journal.runsOf(job.jobName)
      expect(repeatedIn(runs)).toEqual([])
    },
  )

  it(
    'our operator shuts a Java instance down, and its shards move',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('ours-shuts-down')
      const ids = [await java.start(job), await ours.start(job)] as const
      await crew.untilAssignedTo(job, ...ids)
      await crew.untilRuns(job)
      await operations.shutdown({ job: job.jobName, server: java.ip })
      await eventually(async () => (await java.hasLeft(job)) || undefined, {
        what: 'Java has left',
        timeoutMs: 60_000,
      })
      await crew.untilLeads(job, ids[1])
      await crew.untilAssignedTo(job, ids[1])
      await crew.untilRuns(job)
      const runs = crew.journal.runsOf(job.jobName)
      expect(repeatedIn(runs)).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
    },
  )

  it(
    'the operator of Java shuts an instance of ours down, and its shards move',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('java-shuts-down')
      const ourId = await ours.start(job)
      const javaId = await java.start(job)
      await crew.untilAssignedTo(job, ourId, javaId)
      await crew.untilRuns(job)
      await java.operate('shutdown', job, { ip: ours.ip })
      await eventually(async () => (await ours.hasLeft(job)) || undefined, {
        what: 'ours has left',
        timeoutMs: 60_000,
      })
      await crew.untilLeads(job, javaId)
      await crew.untilAssignedTo(job, javaId)
      await crew.untilRuns(job)
      expect(repeatedIn(crew.journal.runsOf(job.jobName))).toEqual([])
      expect(crew.missing(job, everyFour)).toEqual([])
    },
  )

  for (const leads of ['java', 'ours'] as const satisfies readonly Kind[]) {
    it(`${leads} leads: our operator removes a job from under both, and nothing comes back`, async ({
      crew,
      operations,
    }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('removed')
      const ids = await startBoth(job, leads, java, ours)
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      await operations.remove({ job: job.jobName })
      expect(await java.hasLeft(job)).toBe(true)
      expect(await ours.hasLeft(job)).toBe(true)
      expect(await crew.isThere(job)).toBe(false)
      // Under the same name it begins anew.
      const again = await startBoth(job, leads, java, ours)
      await crew.untilAssignedTo(job, again.java, again.ours)
      await crew.untilRuns(job)
    })

    it(`${leads} leads: the operator of Java removes a job from under both, and both leave it`, async ({
      crew,
    }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('removed-by-java')
      const ids = await startBoth(job, leads, java, ours)
      await crew.untilAssignedTo(job, ids.java, ids.ours)
      await crew.untilRuns(job)
      await java.operate('remove', job)
      for (const peer of [java, ours]) {
        await eventually(async () => (await peer.hasLeft(job)) || undefined, {
          what: `${peer.name} has left`,
          timeoutMs: 60_000,
        })
      }
      expect(await crew.children(job, 'instances')).toEqual([])
      const before = crew.journal.runsOf(job.jobName).length
      const again = await startBoth(job, leads, java, ours)
      const owners = await crew.untilAssignedTo(job, again.java, again.ours)
      expect(new Set(owners)).toEqual(new Set([again.java, again.ours]))
      const together = await crew.untilRuns(job)
      expect(together.map(({ kind }) => kind).toSorted()).toEqual(['java', 'java', 'ours', 'ours'])
      expect(repeatedIn(crew.journal.runsOf(job.jobName).slice(before))).toEqual([])
    })
  }
})
