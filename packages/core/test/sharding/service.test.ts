import { describe, expect, it } from 'vitest'

import type { Coordination } from '../../src/job-tree/coordination.ts'
import { ShardingService, type ShardingSettings } from '../../src/sharding/service.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import type { ShardingStrategy } from '../../src/sharding/strategies/strategy.ts'
import { type JobTree, jobTree, x, y } from '../tree.ts'

const now = 50_000

const broken: ShardingStrategy = {
  type: averageAllocation.type,
  shard: () => {
    throw new Error('cannot deal')
  },
}

function settings(strategy: ShardingStrategy): ShardingSettings {
  return {
    total: 2,
    strategy: () => strategy,
    staticSharding: false,
    nextFire: undefined,
    lastFire: undefined,
    isDue: true,
    fires: undefined,
    window: 25_000,
  }
}

interface Bench {
  readonly service: ShardingService
  readonly events: string[]
}

/** The service of a leader, whose transactions are carried out on the tree. */
function leading(tree: JobTree): Bench {
  const events: string[] = []
  const host = {
    jobName: tree.jobName,
    get replica() {
      return tree.view
    },
    session: {
      instance: x,
      commit: (parts: Parameters<JobTree['apply']>[0]) => {
        const outcome = tree.apply(parts, x)
        return outcome === 'committed' ? Promise.resolve([]) : Promise.reject(new Error(outcome))
      },
    },
    emit: (name: string) => events.push(name),
    member: () => tree.member(x),
  }
  return { service: new ShardingService(host as unknown as Coordination), events }
}

describe('a leader that cannot plan', () => {
  it('says so each time, keeps the assignment, and gives up after the third', async () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [x, x], epoch: { total: 1 } })
    const { service, events } = leading(tree)
    const reasons: string[] = []
    const giveUp = (reason: string): Promise<void> => {
      reasons.push(reason)
      return Promise.resolve()
    }
    expect(service.step(now, settings(broken), giveUp)).toBeGreaterThan(now)
    expect(service.step(now, settings(broken), giveUp)).toBeGreaterThan(now)
    expect(reasons).toEqual([])
    await service.step(now, settings(broken), giveUp)
    expect(reasons).toHaveLength(1)
    expect(events).toEqual(['sharding:failed', 'sharding:failed', 'sharding:failed'])
    expect(tree.ownerNodes).toEqual([x, x])
  })

  it('begins to count anew when it could plan in between', async () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [x, x], epoch: { total: 1 } })
    const { service, events } = leading(tree)
    const giveUp = (): never => {
      throw new Error('gave up')
    }
    expect(service.step(now, settings(broken), giveUp)).toBe(now + 1000)
    expect(service.step(now, settings(broken), giveUp)).toBe(now + 1000)
    await service.step(now, settings(averageAllocation), giveUp)
    expect(events.at(-1)).toBe('sharding:changed')
    tree.server.expire(y)
    expect(service.step(now, settings(broken), giveUp)).toBe(now + 1000)
    expect(service.step(now, settings(broken), giveUp)).toBe(now + 1000)
    expect(tree.ownerNodes).toEqual([y, x])
  })
})

describe('the service of a leader', () => {
  it('assigns once, and then has nothing to do', async () => {
    const tree = jobTree({ instances: [x, y], leader: x, epoch: false })
    const { service, events } = leading(tree)
    const giveUp = (): Promise<void> => Promise.resolve()
    await service.step(now, settings(averageAllocation), giveUp)
    expect(tree.ownerNodes).toEqual([y, x])
    expect(service.step(now, settings(averageAllocation), giveUp)).toBeUndefined()
    expect(events).toEqual(['sharding:changed'])
  })

  it('gives away what goes to others only while that is under way', async () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [x, x], epoch: { total: 1 } })
    const { service } = leading(tree)
    const giveUp = (): Promise<void> => Promise.resolve()
    const given = (): boolean[] => [0, 1].map((shard) => service.givesAway(shard))
    expect(given()).toEqual([false, false])
    const step = service.step(now, settings(averageAllocation), giveUp)
    expect(given()).toEqual([0, 1].map((shard) => tree.ownerNodes[shard] !== x))
    expect(given()).toContain(true)
    await step
    expect(given()).toEqual([false, false])
  })

  it('waits for more instances to come, counting from the last that came', () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [x, x], epoch: { among: [x] } })
    const { service } = leading(tree)
    const idle = { ...settings(averageAllocation), isDue: false }
    const giveUp = (): Promise<void> => Promise.resolve()
    expect(service.step(now, idle, giveUp)).toBe(now + 1000)
    tree.join('10.0.0.3@-@13-zzzzzzzz')
    expect(service.step(now + 600, idle, giveUp)).toBe(now + 1600)
    expect(service.step(now + 1600, idle, giveUp)).toBeInstanceOf(Promise)
  })
})
