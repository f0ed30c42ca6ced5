import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Operations } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { FakeJava } from '../support/fake-java.ts'
import { OperatedFleet } from '../support/operated-fleet.ts'

let fleet: OperatedFleet
let cluster: SimulatedCluster
let operations: Operations

beforeEach(async () => {
  fleet = await OperatedFleet.start()
  ;({ cluster, operations } = fleet)
})

afterEach(() => fleet.stop())

describe('replaceConfiguration', () => {
  const path = (): string => cluster.pathsOf('job').config
  const text = 'jobName: job\ncron: 30 * * * * ?\nshardingTotalCount: 2\n'

  beforeEach(async () => {
    await fleet.enlist()
    const client = await cluster.client()
    await cluster.until(client.set(path(), 'jobName: ['))
  })

  it('replaces a configuration that cannot be read, and the job is not broken any more', async () => {
    await expect(fleet.done(operations.configuration('job'))).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
    })
    const stored = await fleet.done(operations.configurationText('job'))
    expect(stored.text).toBe('jobName: [')
    const { version } = stored
    await fleet.done(operations.replaceConfiguration('job', text, { version }))
    expect(await fleet.done(operations.configuration('job'))).toMatchObject({ text })
    expect((await fleet.done(operations.job('job'))).problem).toBeUndefined()
    const late = operations.replaceConfiguration('job', text.replace('30', '20'), { version })
    await expect(fleet.done(late)).rejects.toMatchObject({ code: 'JOB_CONFLICT' })
  })

  it.each([
    ['of another job', text.replace('job\n', 'other\n'), 'JOB_CONFIGURATION_INVALID'],
    ['with a value that cannot be', text.replace('30 *', 'x *'), 'JOB_CONFIGURATION_INVALID'],
    ['that cannot be read either', 'jobName: {', 'JOB_CONFIGURATION_UNREADABLE'],
  ])('refuses a text %s', async (_, wrong, code) => {
    const refused = operations.replaceConfiguration('job', wrong)
    await expect(fleet.done(refused)).rejects.toMatchObject({ code })
    expect((await fleet.done(operations.configurationText('job'))).text).toBe('jobName: [')
  })
})

describe('updateConfiguration', () => {
  it('changes what is asked for, and the instances follow', async () => {
    await fleet.enlist()
    const before = await fleet.done(operations.configuration('job'))
    const changed = cluster.untilEvent('config:changed')
    const update = await fleet.done(
      operations.updateConfiguration('job', { cron: '30 * * * * ?', description: 'half' }),
    )
    expect(update).toMatchObject({
      jobName: 'job',
      version: before.version + 1,
      changes: [
        { key: 'cron', from: '0 * * * * ?', to: '30 * * * * ?' },
        { key: 'description', from: '', to: 'half' },
      ],
    })
    expect((await changed).keys.toSorted()).toEqual(['cron', 'description'])
    const after = await fleet.done(operations.configuration('job'))
    expect(after).toMatchObject({ version: update.version, configuration: update.configuration })
    expect(fleet.lines).toContain('description of job job: "" -> "half"')
  })

  it('keeps what only Java understands, comments, and the order', async () => {
    const java = await FakeJava.start(cluster)
    await java.makeJob({ shardingTotalCount: 1, cron: '0 * * * * ?' })
    const text = [
      '# made by hand',
      'shardingTotalCount: 1',
      'jobExtraConfigurations:',
      '- !!org.example.Tracing {type: RDB}',
      'jobName: job',
      'unknownKey: 7',
      'cron: 0 * * * * ?',
      '',
    ].join('\n')
    await fleet.done(java.client.set(java.paths.config, text))
    await fleet.done(operations.updateConfiguration('job', { shardingTotalCount: 4 }))
    expect(await java.text(java.paths.config)).toBe(text.replace('Count: 1', 'Count: 4'))
  })

  it('writes nothing if everything is so already', async () => {
    await fleet.enlist()
    const { version } = await fleet.done(operations.configuration('job'))
    const update = await fleet.done(operations.updateConfiguration('job', { misfire: true }))
    expect(update).toMatchObject({ changes: [], version })
  })

  it('refuses values that no instance could act upon, all at once', async () => {
    await fleet.enlist()
    const changes = { cron: 'never', shardingTotalCount: 0 }
    const refused = fleet.done(operations.updateConfiguration('job', changes))
    await expect(refused).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_INVALID',
      problems: [{ key: 'shardingTotalCount' }, { key: 'cron' }],
    })
    const props = { 'retry.times': 'often', 'monitor.port': '70000' }
    await expect(
      fleet.done(operations.updateConfiguration('job', { props })),
    ).rejects.toMatchObject({ problems: [{ key: 'retry.times' }, { key: 'monitor.port' }] })
    const java = await FakeJava.start(cluster)
    await java.register()
    const zone = operations.updateConfiguration('job', { timeZone: 'Europe/Berlin' })
    await expect(fleet.done(zone)).rejects.toMatchObject({ problems: [{ key: 'timeZone' }] })
  })

  it('says what a change would do, and does nothing', async () => {
    await fleet.enlist()
    const stored = await fleet.done(operations.configuration('job'))
    const preview = await fleet.done(operations.previewConfiguration('job', { failover: true }))
    expect(preview).toMatchObject({
      changes: [{ key: 'failover', from: false, to: true }],
      version: stored.version,
      before: stored.text,
      after: stored.text.replace('failover: false', 'failover: true'),
    })
    expect(await fleet.done(operations.configuration('job'))).toEqual(stored)
    const refused = operations.previewConfiguration('job', { shardingTotalCount: 0 })
    await expect(fleet.done(refused)).rejects.toMatchObject({ code: 'JOB_CONFIGURATION_INVALID' })
  })

  it('does not overwrite what somebody else has changed since it was read', async () => {
    await fleet.enlist()
    const { version } = await fleet.done(operations.configuration('job'))
    await cluster.configure('job', { description: 'theirs' })
    const ours = operations.updateConfiguration('job', { description: 'ours' }, { version })
    await expect(fleet.done(ours)).rejects.toMatchObject({ code: 'JOB_CONFLICT' })
    expect((await fleet.done(operations.configuration('job'))).configuration.description).toBe(
      'theirs',
    )
  })
})
