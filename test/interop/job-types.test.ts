import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { ownedDirectory } from '../zookeeper/harness/owned-process.ts'
import { besideJava, expect, it } from './support.ts'

besideJava('jobs that are no plain function', () => {
  it('a streaming dataflow runs on both', { tags: ['short'] }, async ({ crew }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const job = crew.job('dataflow', {
      jobClass: 'elasticjob.interop.RecordedDataflow',
      props: { 'streaming.process': 'true' },
    })
    const ids = [await ours.start(job, 'dataflow'), await java.start(job, 'dataflow')]
    await crew.untilAssignedTo(job, ...ids)
    const runs = await crew.untilRuns(job)
    expect(runs.map(({ kind }) => kind).toSorted()).toEqual(['java', 'java', 'ours', 'ours'])
    expect(runs.map(({ parameter }) => parameter)).toEqual(['a,b', 'a,b', 'a,b', 'a,b'])
  })

  it('a script is given the same words by both', { tags: ['short'] }, async ({ crew }) => {
    const [java, ours] = await crew.take('java 1', 'ours 1')
    const directory = await ownedDirectory('interop')
    const script = join(directory, 'job.sh')
    const told = join(directory, 'told')
    await writeFile(script, `printf '%s\\n' "$2" >> "$1"\n`)
    const { jobClass: _, ...job } = crew.job('script', {
      shardingItemParameters: '0=a,1=it\'s "b",2=ü',
      jobParameter: 'all of them',
      props: { 'script.command.line': `sh ${script} ${told}` },
    })
    const ids = [await ours.start(job, 'script'), await java.start(job, 'script')]
    const owners = await crew.untilAssignedTo(job, ...ids)
    const contexts = await eventually(
      async () => {
        const lines = (await readFile(told, 'utf8').catch(() => '')).split('\n').slice(0, -1)
        const read = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
        const last = owners.map((owner, shard) =>
          read.findLast(
            ({ taskId, shardingItem }) => shardingItem === shard && String(taskId).endsWith(owner),
          ),
        )
        return last.includes(undefined) ? undefined : (last as Record<string, unknown>[])
      },
      { what: 'every shard told by its owner', timeoutMs: 60_000 },
    )
    const shapes = contexts.map((context) => Object.keys(context).join())
    const whole = 'jobName,taskId,shardingTotalCount,jobParameter,shardingItem,shardingParameter'
    expect(shapes).toEqual([whole, whole, whole, whole.replace(',shardingParameter', '')])
    expect(contexts.map(({ shardingParameter }) => shardingParameter)).toEqual([
      'a',
      'it\'s "b"',
      'ü',
      undefined,
    ])
  })
})
