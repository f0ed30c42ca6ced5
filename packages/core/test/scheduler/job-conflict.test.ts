import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { JobBody, JobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const noOp = async (): Promise<void> => {}

const script: JobBody = { type: 'SCRIPT' }

const job = (options: Partial<JobOptions> = {}): JobOptions => ({
  jobName: 'job',
  cron: '* * * * * ?',
  shardingTotalCount: 2,
  ...options,
})

const scriptJob = (options: Partial<JobOptions> = {}): JobOptions =>
  job({ props: { 'script.command.line': 'true' }, ...options })

/** A stored configuration of 2.x, as far as it says what the job is. */
const json = (values: Record<string, string> = {}): string =>
  JSON.stringify({
    jobName: 'job',
    jobClass: 'com.example.MySimple',
    jobType: 'SIMPLE',
    cron: '* * * * * ?',
    shardingTotalCount: 2,
    ...values,
  })

async function put(nodes: Readonly<Record<string, string>>): Promise<void> {
  const operator = await cluster.client()
  for (const [path, text] of Object.entries(nodes)) {
    await cluster.until(operator.create(`/${cluster.namespace}/${path}`, text, { parents: true }))
  }
}

async function schedule(ip: string, options: JobOptions, body: JobBody = noOp): Promise<void> {
  const { jobs } = await cluster.join(ip)
  await cluster.until(jobs.schedule(options, body))
}

async function rootText(): Promise<string> {
  const operator = await cluster.client()
  const { data } = await cluster.until(operator.get(cluster.pathsOf('job').root))
  return Buffer.from(data).toString()
}

/** What came of joining, and whether an instance was registered all the same. */
async function join(
  options: JobOptions,
  body: JobBody = noOp,
): Promise<{ readonly error: unknown; readonly isRegistered: boolean }> {
  const error: unknown = await schedule('10.0.1.9', options, body).catch((one: unknown) => one)
  const operator = await cluster.client()
  const { instances } = cluster.pathsOf('job')
  const children = await cluster.until(
    operator.children(instances).then(
      (node) => node.children,
      () => [],
    ),
  )
  return { error, isRegistered: children.some((id) => id.startsWith('10.0.1.9@')) }
}

/** A conflict whose message names both sides. */
function conflict(...sides: readonly string[]): unknown {
  const message: unknown = expect.stringMatching(
    sides.map((side) => side.replaceAll('.', String.raw`\.`)).join('.*'),
  )
  const error: unknown = expect.objectContaining({ code: 'JOB_CONFLICT', message })
  return { error, isRegistered: false }
}

for (const overwrite of [false, true]) {
  describe(`a job that is something else, overwrite ${overwrite}`, () => {
    it('a function that joins a job whose root node names a class is a conflict', async () => {
      await schedule('10.0.1.1', job({ jobClass: 'com.example.MySimple' }))
      expect(await join(job({ overwrite }))).toEqual(conflict('"com.example.MySimple"', 'jobClass'))
    })

    for (const type of ['SCRIPT', 'HTTP', 'com.example.Handler']) {
      it(`a function that joins a job whose root node names ${type} is a conflict`, async () => {
        await put({ job: type, 'job/config': 'jobName: job\nshardingTotalCount: 2\n' })
        expect(await join(job({ overwrite }))).toEqual(conflict(`"${type}"`))
        expect(await rootText()).toBe(type)
      })
    }

    it('a function that joins a script job of ours is a conflict', async () => {
      await schedule('10.0.1.1', scriptJob(), script)
      expect(await join(job({ overwrite }))).toEqual(conflict('"SCRIPT"'))
    })

    it('a script that joins a running function job is a conflict', async () => {
      await schedule('10.0.1.1', scriptJob())
      expect(await join(scriptJob({ overwrite }), script)).toEqual(conflict('function', '"SCRIPT"'))
      expect(await rootText()).toBe('')
    })

    it('a script that joins a job of a class is a conflict', async () => {
      await schedule('10.0.1.1', job({ jobClass: 'com.example.MySimple' }))
      expect(await join(scriptJob({ overwrite }), script)).toEqual(
        conflict('"com.example.MySimple"', '"SCRIPT"'),
      )
    })

    it('another class than in the JSON of 2.x is a conflict', async () => {
      await put({ 'job/config': json() })
      const other = job({ jobClass: 'com.example.Other', overwrite })
      expect(await join(other)).toEqual(conflict('"com.example.MySimple"', '"com.example.Other"'))
      await schedule('10.0.1.1', job({ jobClass: 'com.example.MySimple', overwrite }))
    })

    it('a function without a class is a conflict with the class in the JSON of 2.x', async () => {
      await put({ 'job/config': json() })
      expect(await join(job({ overwrite }))).toEqual(conflict('"com.example.MySimple"'))
    })

    it('a function is a conflict with a SCRIPT in the JSON of 2.x', async () => {
      const scriptCommandLine = 'true'
      const jobClass = 'com.dangdang.ddframe.job.api.script.ScriptJob'
      await put({ 'job/config': json({ jobType: 'SCRIPT', jobClass, scriptCommandLine }) })
      expect(await join(job({ overwrite }))).toEqual(conflict('"SCRIPT"'))
      await schedule('10.0.1.1', scriptJob({ overwrite }), script)
    })

    it('another class than that of 1.x is a conflict', async () => {
      await put({
        'job/config/jobClass': 'com.example.Old',
        'job/config/shardingTotalCount': '2',
      })
      const other = job({ jobClass: 'com.example.Other', overwrite })
      expect(await join(other)).toEqual(conflict('"com.example.Old"', '"com.example.Other"'))
      expect(await join(job({ overwrite }))).toEqual(conflict('"com.example.Old"'))
    })
  })
}

describe('a job whose kind nothing says', () => {
  it('is overwritten by a script while nobody takes part, which then names it', async () => {
    await put({ job: '', 'job/config': 'jobName: job\nshardingTotalCount: 2\n' })
    await schedule('10.0.1.1', scriptJob({ overwrite: true }), script)
    expect(await rootText()).toBe('SCRIPT')
  })

  it('is named by the first script that joins it, so that a function is a conflict', async () => {
    await put({
      job: '',
      'job/config': 'jobName: job\nshardingTotalCount: 2\nprops:\n  script.command.line: "true"\n',
    })
    await schedule('10.0.1.1', scriptJob(), script)
    expect(await rootText()).toBe('SCRIPT')
    expect(await join(job())).toEqual(conflict('"SCRIPT"'))
  })

  it('is joined by a function of a class beside functions without one', async () => {
    await schedule('10.0.1.1', job())
    await schedule('10.0.1.2', job({ jobClass: 'com.example.MySimple' }))
    expect(await join(job())).toEqual({ error: undefined, isRegistered: true })
  })

  it('is one of 1.x with the same class: overwrite replaces it', async () => {
    await put({
      'job/config/jobClass': 'com.example.Old',
      'job/config/shardingTotalCount': '2',
    })
    await schedule('10.0.1.1', job({ jobClass: 'com.example.Old', overwrite: true }))
    expect(await rootText()).toBe('com.example.Old')
  })
})
