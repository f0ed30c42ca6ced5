import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { faultsOf } from '@elasticjob/zookeeper-server/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { writeJob } from '../../src/config/job-yaml.ts'
import { resolveJob } from '../../src/config/resolve-job.ts'
import { resolveRegistry } from '../../src/config/resolve-registry.ts'
import { ElasticJob } from '../../src/index.ts'
import { type ImportOptions, type ImportResult, Operations } from '../../src/operations.ts'
import { encodeJobState, noJobState } from '../../src/job-tree/job-state.ts'
import { importConfiguration } from '../../src/operations/import-legacy.ts'
import { OperatorRegistry } from '../../src/operations/operator-registry.ts'
import { registryOn } from '../support/registry-on.ts'

let server: RunningServer
let client: ZooKeeper
let operations: Operations
let log: string[]

beforeEach(async () => {
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
  log = []
  const note = (message: string): number => log.push(message)
  operations = await Operations.connect({
    servers: server.connectString,
    namespace: 'shop',
    baseSleepTimeMilliseconds: 10,
    logger: { debug: note, info: note, warn: note, error: note },
  })
})

afterEach(async () => {
  await operations.close()
  await client.close()
  await server.stop()
})

async function put(path: string, text = ''): Promise<void> {
  await client.create(`/shop/old/${path}`, text, { parents: true })
}

async function textAt(path: string): Promise<string> {
  return toText((await client.get(`/shop/old${path}`)).data)
}

function run(options: ImportOptions = {}): Promise<ImportResult> {
  return operations.importConfiguration('old', options)
}

async function connect(): Promise<ElasticJob> {
  return ElasticJob.connect({
    servers: server.connectString,
    namespace: 'shop',
    ip: '10.0.0.9',
    drainOnSignals: false,
    logger: false,
  })
}

/** A job of 1.1.1 that two servers have run, one of them disabled and paused by an operator. */
async function makeFirst(changes: Readonly<Record<string, string>> = {}): Promise<void> {
  const fields = {
    jobType: 'SIMPLE',
    jobClass: 'com.example.OldJob',
    shardingTotalCount: '2',
    cron: '0/5 * * * * ?',
    shardingItemParameters: '0=a,1=b',
    jobParameter: '',
    monitorExecution: 'true',
    maxTimeDiffSeconds: '-1',
    failover: 'false',
    misfire: 'true',
    jobShardingStrategyClass: '',
    description: 'an old job',
    monitorPort: '-1',
    ...changes,
  }
  for (const [name, value] of Object.entries(fields)) await put(`config/${name}`, value)
  await put('servers/10.0.0.1/hostName', 'one')
  await put('servers/10.0.0.1/sharding', '0,1')
  await put('servers/10.0.0.2/disabled')
  await put('servers/10.0.0.2/paused')
  await put('execution/0/completed')
  await put('execution/0/lastBeginTime', '1')
  await put('execution/1/completed')
  await put('leader/execution/necessary')
  await put('leader/election/latch')
  await put('offset/1', 'row 42')
}

const second = {
  jobName: 'old',
  jobClass: 'com.example.OldJob',
  jobType: 'DATAFLOW',
  cron: '0/5 * * * * ?',
  shardingTotalCount: 2,
  shardingItemParameters: '',
  jobParameter: 'p',
  failover: true,
  misfire: false,
  description: '',
  jobProperties: { job_exception_handler: 'com.example.Handler', executor_service_handler: '' },
  streamingProcess: true,
  monitorExecution: true,
  maxTimeDiffSeconds: -1,
  monitorPort: -1,
  jobShardingStrategyClass: 'com.example.Strategy',
  reconcileIntervalMinutes: 10,
  disabled: false,
  overwrite: false,
}

describe('a job of 1.x', () => {
  it('is taken over, and its own nodes stay', async () => {
    await makeFirst()
    const result = await run()
    expect(result).toMatchObject({
      form: '1.x',
      jobClass: 'com.example.OldJob',
      jobType: 'SIMPLE',
      living: [],
      written: true,
      removed: [],
    })
    const expected = resolveJob({
      jobName: 'old',
      cron: '0/5 * * * * ?',
      shardingTotalCount: 2,
      shardingItemParameters: '0=a,1=b',
      description: 'an old job',
    })
    expect(await textAt('/config')).toBe(writeJob(expected))
    expect(result.yaml).toBe(writeJob(expected))
    expect(await textAt('')).toBe('com.example.OldJob')
    expect(await textAt('/servers/10.0.0.2')).toBe('DISABLED')
    expect(await textAt('/servers/10.0.0.1')).toBe('')
    expect(result.notes).toEqual([
      'server 10.0.0.2 was disabled, and stays so',
      'server 10.0.0.2 was paused: pause it again before its instances start',
    ])
    expect(await textAt('/config/cron')).toBe('0/5 * * * * ?')
    expect(await textAt('/execution/0/lastBeginTime')).toBe('1')
  })

  it('is left alone by a dry run, which says the same', async () => {
    await makeFirst()
    const dry = await run({ dryRun: true })
    expect(await textAt('/config')).toBe('')
    expect(await textAt('')).toBe('')
    expect({ ...dry, written: true }).toEqual(await run())
  })

  it('loses the nodes of 1.x if that is asked for, now or later', async () => {
    await makeFirst()
    await run()
    const { removed, written } = await run({ removeOldNodes: true })
    expect(written).toBe(false)
    expect(removed).toHaveLength(13 + 4 + 6 + 2)
    expect((await client.children('/shop/old')).children.toSorted()).toEqual([
      'config',
      'leader',
      'offset',
      'servers',
    ])
    expect((await client.children('/shop/old/config')).children).toEqual([])
    expect((await client.children('/shop/old/servers/10.0.0.2')).children).toEqual([])
    expect(await textAt('/servers/10.0.0.2')).toBe('DISABLED')
    expect(await textAt('/offset/1')).toBe('row 42')
    expect(await run({ removeOldNodes: true })).toMatchObject({ form: 'today', removed: [] })
  })

  it('is not touched while somebody still runs it', async () => {
    await makeFirst()
    await client.create('/shop/old/servers/10.0.0.1/status', 'READY', { mode: 'ephemeral' })
    expect(await run({ dryRun: true })).toMatchObject({ living: ['10.0.0.1'], written: false })
    await expect(run()).rejects.toThrow('still runs under an old version on 10.0.0.1')
    await expect(run()).rejects.toMatchObject({ code: 'JOB_CONFLICT' })
    expect(await textAt('/config')).toBe('')
  })

  it('is a script by its type', async () => {
    await makeFirst({ jobType: 'SCRIPT', jobClass: 'x.ScriptElasticJob', scriptCommandLine: 'go' })
    expect(await run()).toMatchObject({ jobClass: 'SCRIPT', jobType: 'SCRIPT' })
    await using jobs = await connect()
    const props = { 'script.command.line': 'other' }
    const job = await jobs.schedule(
      { jobName: 'old', shardingTotalCount: 9, props },
      { type: 'SCRIPT' },
    )
    expect(job.configuration.props).toEqual({ 'script.command.line': 'go' })
  })

  it('cannot be joined as it is, and the error says what to do', async () => {
    await makeFirst()
    await using jobs = await connect()
    const join = (): Promise<unknown> =>
      jobs.schedule(
        { jobName: 'old', jobClass: 'com.example.OldJob', shardingTotalCount: 1 },
        async () => {},
      )
    await expect(join()).rejects.toThrow(
      /`elasticjob import` or Operations\.importConfiguration\(\)/,
    )
    await expect(join()).rejects.toMatchObject({ code: 'JOB_CONFIGURATION_UNREADABLE' })
  })

  it('can be joined once it is imported, where its offsets go on', async () => {
    await makeFirst()
    await run()
    await using jobs = await connect()
    const offsets: unknown[] = []
    const ran = new Promise<void>((resolve) => {
      jobs.on('trigger:completed', () => resolve())
    })
    const options = { jobName: 'old', jobClass: 'com.example.OldJob', shardingTotalCount: 9 }
    const job = await jobs.schedule(options, async (context) => {
      offsets[context.shardingItem] = context.offset
    })
    expect(job.configuration).toMatchObject({ shardingTotalCount: 2, cron: '0/5 * * * * ?' })
    await job.trigger()
    await ran
    expect(offsets).toEqual([undefined, 'row 42'])
  })

  it('can be replaced by overwrite', async () => {
    await makeFirst()
    await using jobs = await connect()
    const options = {
      jobName: 'old',
      jobClass: 'com.example.OldJob',
      shardingTotalCount: 4,
      overwrite: true,
    }
    const job = await jobs.schedule(options, async () => {})
    expect(job.configuration.shardingTotalCount).toBe(4)
    expect(await textAt('/config')).toContain('shardingTotalCount: 4')
  })

  it.each([
    [{ cron: 'every day' }, 'JOB_CONFIGURATION_INVALID', 'cron'],
    [{ shardingTotalCount: 'x' }, 'JOB_CONFIGURATION_UNREADABLE', 'shardingTotalCount'],
  ])('that cannot be is refused, %j', async (changes, code, key) => {
    await makeFirst(changes)
    await expect(run()).rejects.toThrow(key)
    await expect(run()).rejects.toMatchObject({ code })
    expect(await textAt('/config')).toBe('')
  })

  it('with failover and without monitorExecution had none, and has none', async () => {
    await makeFirst({ failover: 'true', monitorExecution: 'false' })
    const { configuration, notes } = await run()
    expect(configuration.failover).toBe(false)
    expect(notes).toContainEqual(expect.stringContaining('failover is off'))
  })
})

describe('a job of 2.x', () => {
  beforeEach(() => put('config', JSON.stringify(second)))

  it('is taken over, with the names of classes that somebody has to write', async () => {
    await put('servers/10.0.0.1', 'DISABLED')
    const result = await run()
    expect(result).toMatchObject({
      form: '2.x',
      jobClass: 'com.example.OldJob',
      jobType: 'DATAFLOW',
      written: true,
    })
    expect(result.notes).toEqual([
      expect.stringContaining('the sharding strategy com.example.Strategy is a class'),
      expect.stringContaining('the error handler com.example.Handler is a class'),
    ])
    expect(await textAt('/config')).toContain("  streaming.process: 'true'\n")
    expect(await textAt('/servers/10.0.0.1')).toBe('DISABLED')
    expect(await run()).toMatchObject({ form: 'today', written: false, yaml: result.yaml })
  })

  it('is not touched while an instance of 2.x takes part; one of ours is no obstacle', async () => {
    await client.create('/shop/old/instances', '')
    await client.create('/shop/old/instances/10.0.0.9@-@1-abcdefgh', '')
    await client.create('/shop/old/instances/10.0.0.1@-@12', '', { mode: 'ephemeral' })
    expect((await run({ dryRun: true })).living).toEqual(['10.0.0.1@-@12'])
    await expect(run()).rejects.toMatchObject({ code: 'JOB_CONFLICT' })
    await client.delete('/shop/old/instances/10.0.0.1@-@12')
    expect((await run()).written).toBe(true)
  })

  it('can be joined as it is', async () => {
    const { jobShardingStrategyClass: _, jobProperties: __, ...plain } = second
    await client.set('/shop/old/config', JSON.stringify(plain))
    await using jobs = await connect()
    const options = { jobName: 'old', jobClass: 'com.example.OldJob', shardingTotalCount: 9 }
    const job = await jobs.schedule(options, async () => {})
    expect(job.configuration.shardingTotalCount).toBe(2)
    expect(await textAt('/config')).toBe(JSON.stringify(plain))
    // While it runs it is taken over, and goes on.
    const { configuration } = await run()
    expect(job.configuration).toMatchObject({ jobParameter: configuration.jobParameter })
    expect(await textAt('/config')).toContain('jobName: old\n')
  })

  it('keeps the class that the job has already', async () => {
    await client.set('/shop/old', 'com.example.Other')
    expect((await run()).jobClass).toBe('com.example.Other')
    expect(await textAt('')).toBe('com.example.Other')
  })

  it('is refused if it is that of another job', async () => {
    await client.set('/shop/old/config', JSON.stringify({ ...second, jobName: 'other' }))
    await expect(run()).rejects.toThrow('jobName: it is "other"')
  })
})

describe('a job of today', () => {
  it('is left as it is, to the letter', async () => {
    const text = '# mine\njobName: old\nshardingTotalCount: 1\n'
    await put('config', text)
    expect(await run()).toMatchObject({ form: 'today', written: false, yaml: text, removed: [] })
    expect(await textAt('/config')).toBe(text)
  })

  it('has to be there', async () => {
    await client.create('/shop', '')
    await expect(run()).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    await client.create('/shop/old', '')
    await expect(run()).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
      message: 'there is no configuration at /shop/old/config',
    })
    await put('config', '')
    await expect(run()).rejects.toThrow('it is empty')
  })
})

describe('all jobs', () => {
  it('are told apart by what an older version has left', async () => {
    await makeFirst()
    await client.create('/shop/second/config', JSON.stringify(second), { parents: true })
    await client.create('/shop/third/config', 'jobName: third\nshardingTotalCount: 1\n', {
      parents: true,
    })
    await client.create('/shop/broken/config', '', { parents: true })
    expect(await operations.legacyJobs()).toEqual([
      { jobName: 'old', form: '1.x', hasOldNodes: true },
      { jobName: 'second', form: '2.x', hasOldNodes: false },
    ])
    await run()
    expect(await operations.legacyJobs()).toEqual([
      { jobName: 'old', form: 'today', hasOldNodes: true },
      { jobName: 'second', form: '2.x', hasOldNodes: false },
    ])
    expect(log).toEqual(['the configuration of job old is imported from 1.x'])
  })

  it('say that they may be of 1.x', async () => {
    await makeFirst()
    const [job] = await operations.jobs()
    expect(job?.problem).toContain('`elasticjob import` takes it over')
  })
})

describe('what was done is told even if the answer is lost', () => {
  const loseAnswer = (): Promise<void> => faultsOf(server).loseNextReply({ type: opCode.multi })

  it('of an import', async () => {
    await makeFirst()
    const lost = loseAnswer()
    expect(await run()).toMatchObject({ form: '1.x', written: true })
    await lost
    expect(await textAt('/config')).toContain('jobName: old')
  })

  it('of a removal', async () => {
    await makeFirst()
    await run()
    const lost = loseAnswer()
    expect((await run({ removeOldNodes: true })).removed).toHaveLength(13 + 4 + 6 + 2)
    await lost
    expect((await client.children('/shop/old/config')).children).toEqual([])
  })
})

it('imports what somebody has changed at the last moment', async () => {
  await makeFirst()
  const options = resolveRegistry({ servers: server.connectString, namespace: 'shop' })
  const reached = registryOn(client)
  const transact = reached.transact.bind(reached)
  vi.spyOn(reached, 'transact').mockImplementationOnce(async (parts) => {
    await client.set('/shop/old/config/cron', '0 0 * * * ?')
    return transact(parts)
  })
  const registry = new OperatorRegistry(reached, options, 'operator')
  const { configuration } = await importConfiguration(registry, 'old', {})
  expect(configuration.cron).toBe('0 0 * * * ?')
  expect(await textAt('/config')).toContain('cron: 0 0 * * * ?')
})

it('leaves a job alone that is being removed', async () => {
  await makeFirst()
  const shardState = encodeJobState({ ...noJobState, removing: true })
  await client.create('/shop.state/jobs/old', shardState, { parents: true })
  await expect(run()).rejects.toMatchObject({ code: 'JOB_REMOVED' })
  expect(await textAt('/config')).toBe('')
})
