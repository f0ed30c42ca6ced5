import { describe, expect, it } from 'vitest'

import { effective } from '../../src/config/effective.ts'
import { type JobConfiguration, jobDefaults } from '../../src/config/job-configuration.ts'
import { englishOf } from '../../src/message.ts'

const job: JobConfiguration = { ...jobDefaults, jobName: 'j', shardingTotalCount: 1 }

describe('effective', () => {
  it('leaves alone what can be acted upon as it is', () => {
    const whole = { ...job, failover: true, jobExecutorThreadPoolSizeProviderType: 'CPU' }
    expect(effective(whole)).toEqual({ configuration: whole, warnings: [] })
  })

  it('reads failover without monitorExecution, which Spring Boot stores, as off', () => {
    const { configuration, warnings } = effective({
      ...job,
      failover: true,
      monitorExecution: false,
    })
    expect(configuration.failover).toBe(false)
    expect(warnings.map(englishOf)).toEqual([expect.stringContaining('failover is off')])
  })

  it('knows no limit for a pool that it does not know', () => {
    const pool = 'com.example.Pool'
    const { configuration, warnings } = effective({
      ...job,
      jobExecutorThreadPoolSizeProviderType: pool,
    })
    expect(configuration.jobExecutorThreadPoolSizeProviderType).toBeUndefined()
    expect(warnings.map(englishOf)).toEqual([expect.stringContaining(pool)])
  })

  it('says what is wrong with parameters', () => {
    const { warnings } = effective({ ...job, shardingItemParameters: '0=a,b' })
    expect(warnings.map(englishOf)).toEqual([
      expect.stringContaining('shardingItemParameters: "b" is not'),
    ])
  })
})
