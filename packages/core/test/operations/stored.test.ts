import { describe, expect, it } from 'vitest'

import { kindOf, storedIn } from '../../src/operations/stored.ts'
import { englishOf } from '../../src/message.ts'
import { configOf, snapshotIn, snapshotOf } from '../support/tree-reader.ts'
import { java, jobTree, viewOf, x } from '../tree.ts'

describe('storedIn', () => {
  it('reads the configuration, and when it fires', async () => {
    const { configuration, fires, problem } = storedIn(await snapshotIn({ config: configOf() }))
    expect(configuration?.shardingTotalCount).toBe(2)
    expect(fires?.nextAfter(0)).toBe(60_000)
    expect(problem).toBeUndefined()
  })

  it('knows that failover needs what monitorExecution writes down', async () => {
    const config = configOf().replace('failover: false', 'failover: true')
    const off = config.replace('monitorExecution: true', 'monitorExecution: false')
    expect(storedIn(await snapshotIn({ config })).failover).toBe(true)
    const stored = storedIn(await snapshotIn({ config: off }))
    expect(stored).toMatchObject({ failover: false, configuration: { failover: true } })
    expect(stored.warnings).toHaveLength(1)
  })

  it('says what is wrong with one that cannot be read, or not be acted upon', async () => {
    const unreadable = storedIn(await snapshotIn({ config: 'cron: [' }))
    expect(unreadable).toMatchObject({ configuration: undefined, fires: undefined })
    expect(englishOf(unreadable.problem ?? '')).toContain('/ns/job/config')
    const never = configOf().replace('0 * * * * ?', 'whenever')
    const inactive = storedIn(await snapshotIn({ config: never }))
    expect(englishOf(inactive.problem ?? '')).toContain('whenever')
    expect(inactive.configuration?.jobName).toBe('job')
  })

  it('says so if there is none', async () => {
    expect(storedIn(await snapshotIn({})).problem).toMatchObject({
      text: expect.stringContaining('its nodes are incomplete') as string,
    })
    const tree = jobTree({})
    tree.server.drop(tree.paths.root)
    expect(storedIn(await snapshotOf(tree)).problem).toMatchObject({
      text: expect.stringContaining('its nodes are gone') as string,
    })
  })
})

describe('kindOf', () => {
  it('goes by who is there, and else by who has been there', () => {
    expect(kindOf(viewOf({ instances: [x] }))).toBe('ours')
    expect(kindOf(viewOf({ instances: [java] }))).toBe('java')
    expect(kindOf(viewOf({ instances: [x, java] }))).toBe('mixed')
    expect(kindOf(viewOf({}))).toBe('ours')
    expect(kindOf(viewOf({ jobState: false }))).toBe('java')
  })
})
