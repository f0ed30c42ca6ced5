import { expect, it } from 'vitest'
import { type ChaosPlan, planChaos, type PlanOptions } from './plan.ts'

const options: PlanOptions = {
  seed: 1,
  duration: 600_000,
  workers: 6,
  servers: 3,
  sessionTimeout: 6000,
  jobs: 7,
}

const seeds = [1, 2, 3, 4, 5]
const plans: ChaosPlan[] = seeds.map((seed) => planChaos({ ...options, seed }))

it('says the same for the same seed, and something else for another', () => {
  expect(planChaos(options)).toEqual(plans[0])
  expect(plans[0]).not.toEqual(plans[1])
})

it('has every kind of fault, in a minute nearly all of them', () => {
  const kinds = ({ workers, servers }: ChaosPlan): Set<string> =>
    new Set([...workers, ...servers].map(({ fault }) => fault.kind))
  for (const plan of plans) expect(kinds(plan).size).toBe(20)
  expect(kinds(planChaos({ ...options, duration: 60_000 })).size).toBeGreaterThanOrEqual(12)
})

it('has for a single server what can happen to one', () => {
  const { servers } = planChaos({ ...options, servers: 1 })
  expect(new Set(servers.map(({ fault }) => fault.kind)).size).toBe(5)
})

it('has every action of operators, on every job, one after the other', () => {
  for (const { actions } of plans) {
    expect(new Set(actions.map(({ action }) => action.kind)).size).toBe(8)
    expect(new Set(actions.map(({ job }) => job))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]))
    for (const [index, { at }] of actions.entries()) {
      const before = actions[index - 1]
      expect(at).toBeGreaterThan(before === undefined ? 0 : before.at + before.lasts)
    }
  }
})

it('is over in time', () => {
  for (const { workers, servers, rounds, actions } of plans) {
    for (const { at, lasts } of [...workers, ...servers, ...actions]) {
      expect(lasts).toBeGreaterThan(0)
      expect(at + lasts).toBeLessThanOrEqual(options.duration)
    }
    for (const { at } of rounds) expect(at).toBeLessThan(options.duration)
  }
})

it('disturbs the ensemble by one thing after the other', () => {
  for (const { servers } of plans) {
    for (const [index, { at }] of servers.entries()) {
      const before = servers[index - 1]
      expect(at).toBeGreaterThan(before === undefined ? 0 : before.at + before.lasts)
    }
  }
})

it('disturbs a worker by one thing at a time, and leaves two alone', () => {
  for (const { workers } of plans) {
    for (const { at } of workers) {
      const busy = workers
        .filter((step) => step.at <= at && at < step.at + step.lasts)
        .map((step) => ('worker' in step.fault ? step.fault.worker : 'all'))
      expect(new Set(busy).size).toBe(busy.length)
      expect(busy.length).toBeLessThanOrEqual(options.workers - 2)
      // Of all at once nobody is busy with anything else.
      expect(busy.includes('all') && busy.length > 1).toBe(false)
    }
  }
})

it('stops instances for less than a session, and for more', () => {
  const lastings = (kind: string): number[] =>
    plans.flatMap(({ workers }) =>
      workers
        .filter(({ fault, at, lasts }) => fault.kind === kind && at + lasts < options.duration)
        .map(({ lasts }) => lasts),
    )
  expect(Math.max(...lastings('instance stopped'))).toBeLessThan(options.sessionTimeout)
  const beyond = lastings('instance stopped beyond its session')
  expect(Math.min(...beyond)).toBeGreaterThan(options.sessionTimeout)
})
