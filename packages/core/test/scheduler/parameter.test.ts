import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

import { SimulatedCluster } from '../simulated-cluster.ts'

let cluster: SimulatedCluster

beforeEach(async () => {
  cluster = await SimulatedCluster.start()
})

afterEach(() => cluster.stop())

const job = { jobName: 'job', shardingTotalCount: 1 }
const parameterSchema = z.object({ region: z.string() })

describe('a job with a typed parameter', () => {
  it('stores it as JSON and hands it to its body, with its type', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const given: unknown[] = []
    const scheduled = await cluster.until(
      jobs.schedule({ ...job, parameter: { region: 'eu' }, parameterSchema }, ({ parameter }) => {
        expectTypeOf(parameter).toEqualTypeOf<{ region: string }>()
        given.push(parameter)
      }),
    )
    expect(scheduled.configuration.jobParameter).toBe('{"region":"eu"}')
    await cluster.until(scheduled.trigger())
    await cluster.advance(1_000)
    await cluster.until(scheduled.trigger({ parameter: { region: 'us' } }))
    await cluster.advance(1_000)
    expect(given).toEqual([{ region: 'eu' }, { region: 'us' }])
  })

  it('is not scheduled, and no run is triggered, with one that is not valid', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const wrong = { parameter: { region: 5 } as never, parameterSchema }
    const refused = { code: 'JOB_PARAMETER_INVALID' }
    await expect(jobs.schedule({ ...job, ...wrong }, () => {})).rejects.toMatchObject(refused)
    expect(jobs.jobNames).toEqual([])
    let runs = 0
    const scheduled = await cluster.until(
      jobs.schedule({ ...job, parameter: { region: 'eu' }, parameterSchema }, () => {
        runs += 1
      }),
    )
    await expect(scheduled.trigger({ parameter: '{}' })).rejects.toMatchObject(refused)
    await cluster.advance(1_000)
    expect(runs).toBe(0)
  })

  it.each([
    [{ parameter: 1, jobParameter: '2' }, 'parameter: is set twice, here and as jobParameter'],
    [{ parameterSchema: {} as never }, 'parameterSchema: must be a schema'],
  ])('refuses %j', async (options, message) => {
    const { jobs } = await cluster.join('10.0.1.1')
    const refused = jobs.schedule({ ...job, ...options }, () => {})
    await expect(refused).rejects.toThrow(message)
  })
})
