import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { FollowedNamespace, Operations } from '../../src/operations.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { OperatedFleet } from '../support/operated-fleet.ts'

let fleet: OperatedFleet
let cluster: SimulatedCluster
let operations: Operations
let followed: FollowedNamespace
let told: (readonly string[])[]
let states: string[]

beforeEach(async () => {
  fleet = await OperatedFleet.start()
  ;({ cluster, operations } = fleet)
  told = []
  states = []
  followed = await fleet.done(
    operations.follow({
      changed: (jobNames) => told.push(jobNames),
      lost: () => states.push('lost'),
      current: () => states.push('current'),
    }),
  )
})

afterEach(async () => {
  await fleet.done(followed.stop())
  await fleet.stop()
})

describe('a namespace that is followed', () => {
  it('tells of a job what the registry would tell of it', async () => {
    await fleet.enlist()
    await cluster.advance(1000)
    expect(await followed.jobNames()).toEqual(['job'])
    const [here, there] = [await followed.job('job'), await fleet.done(operations.job('job'))]
    expect(here).toEqual(there)
    expect(here).toMatchObject({ jobName: 'job', status: 'OK' })
    expect(followed.isCurrent).toBe(true)
    expect(followed.size).toBeGreaterThan(0)
  })

  it('names the job that is not as it was', async () => {
    await fleet.enlist()
    await cluster.advance(1000)
    told.length = 0
    await fleet.done(operations.pause({ job: 'job' }))
    await fleet.done(followed.settled())
    expect(told.flat()).toContain('job')
    expect(await followed.job('job')).toMatchObject({ paused: true })
  })

  it('knows nothing of a job that is not there', async () => {
    expect(await followed.job('nothing')).toBeUndefined()
    expect(await followed.jobNames()).toEqual([])
  })
})
