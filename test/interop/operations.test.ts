import { eventually } from '../zookeeper/harness/eventually.ts'
import { everyFour, missingIn, repeatedIn } from './run.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('what operators do to instances of the other kind', () => {
  it('our operator disables the server of a Java instance, and enables it', async ({
    crew,
    operations,
  }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('ours-disables')
    const ids = [await java.start(job), await ours.start(job)] as const
    await crew.untilDealtTo(job, ...ids)
    await operations.disable({ job: job.jobName, server: java.ip })
    await crew.untilDealtTo(job, ids[1])
    expect(new Set((await crew.untilRuns(job)).map(({ kind }) => kind))).toEqual(new Set(['ours']))
    await operations.enable({ job: job.jobName, server: java.ip })
    await crew.untilDealtTo(job, ...ids)
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(missingIn(runs, everyFour)).toEqual([])
  })

  it('the operator of Java disables the server of ours, and enables it', async ({ crew }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('java-disables')
    const ids = [await java.start(job), await ours.start(job)] as const
    await crew.untilDealtTo(job, ...ids)
    await java.operate('disable', job, { ip: ours.ip })
    await crew.untilDealtTo(job, ids[0])
    expect(new Set((await crew.untilRuns(job)).map(({ kind }) => kind))).toEqual(new Set(['java']))
    await java.operate('enable', job, { ip: ours.ip })
    await crew.untilDealtTo(job, ...ids)
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(missingIn(runs, everyFour)).toEqual([])
  })

  it('a shard that either operator disables runs nowhere until it is enabled', async ({
    crew,
    operations,
  }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('shards')
    const javaId = await java.start(job)
    const ourId = await ours.start(job)
    const owners = await crew.untilDealtTo(job, javaId, ourId)
    const ofJava = owners.indexOf(javaId)
    const ofOurs = owners.indexOf(ourId)
    await operations.disableShard(job.jobName, ofJava)
    await java.operate('disable-shard', job, { item: `${ofOurs}` })
    const since = Date.now()
    await crew.untilRuns(job, 2)
    await crew.untilRuns(job, 2)
    const off = crew.journal.runsOf(job.jobName).filter(({ fire }) => fire > since)
    expect(off.map(({ item }) => item)).not.toContain(ofJava)
    expect(off.map(({ item }) => item)).not.toContain(ofOurs)
    await operations.enableShard(job.jobName, ofOurs)
    await java.operate('enable-shard', job, { item: `${ofJava}` })
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
  })

  it('our operator shuts a Java instance down, and its items move', async ({
    crew,
    operations,
  }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('ours-shuts-down')
    const ids = [await java.start(job), await ours.start(job)] as const
    await crew.untilDealtTo(job, ...ids)
    await operations.shutdown({ job: job.jobName, server: java.ip })
    await eventually(async () => (await java.hasLeft(job)) || undefined, { what: 'Java has left' })
    await crew.untilLeads(job, ids[1])
    await crew.untilDealtTo(job, ids[1])
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(missingIn(runs, everyFour)).toEqual([])
  })

  it('the operator of Java shuts an instance of ours down, and its items move', async ({
    crew,
  }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('java-shuts-down')
    const ourId = await ours.start(job)
    const javaId = await java.start(job)
    await crew.untilDealtTo(job, ourId, javaId)
    await java.operate('shutdown', job, { ip: ours.ip })
    await eventually(async () => (await ours.hasLeft(job)) || undefined, { what: 'ours has left' })
    await crew.untilLeads(job, javaId)
    await crew.untilDealtTo(job, javaId)
    await crew.untilRuns(job)
    const runs = crew.journal.runsOf(job.jobName)
    expect(repeatedIn(runs)).toEqual([])
    expect(missingIn(runs, everyFour)).toEqual([])
  })
})
