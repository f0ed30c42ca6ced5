import { describe, expect, it } from 'vitest'

import { encodeJobState } from '../../src/job-tree/job-state.ts'
import { part } from '../../src/registry/transaction.ts'
import {
  type Arrival,
  type Creation,
  planCreation,
  planRegistration,
  planSchedule,
} from '../../src/servers/plan.ts'
import { TreeServer } from '../tree-server.ts'
import { JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const arrival: Arrival = {
  instanceText: 'jobInstanceId: x',
  disabled: false,
  overwrite: false,
  jobState: { lastRound: 0, schedule: { digest: 'd', since: 1 } },
  hasStates: false,
  now: 1,
}

function register(tree: JobTree, changes: Partial<Arrival> = {}, instance = x): string | undefined {
  const plan = planRegistration(tree.view, tree.member(instance), { ...arrival, ...changes })
  expect(tree.apply(plan, instance)).toBe('committed')
  return tree.view.servers.get(tree.member(instance).ip)
}

/** A namespace in which the job does not exist. */
function emptyNamespace(): JobTree {
  const tree = new JobTree('job', new TreeServer())
  for (const folder of [...tree.state.folders, '/ns']) tree.server.put(folder)
  return tree
}

const creation: Creation = {
  configText: 'cron: x',
  rootData: 'MyJob',
  jobState: arrival.jobState,
  hasStates: false,
}

describe('planCreation', () => {
  it('makes the whole skeleton or nothing of it, and nobody takes part yet', () => {
    const tree = emptyNamespace()
    const plan = planCreation(tree.view, tree.member(x), creation)
    expect(tree.apply(plan, x)).toBe('committed')
    expect(tree.server.get(tree.paths.root)?.text).toBe('MyJob')
    expect(tree.view.config?.text).toBe('cron: x')
    expect(tree.view.instances.size).toBe(0)
    expect(tree.apply(plan, x)).toBe('NODE_EXISTS')
  })

  it('makes an epoch that stays, and is not taken for one of Java', () => {
    const tree = emptyNamespace()
    tree.apply(planCreation(tree.view, tree.member(x), creation), x)
    const node = tree.server.get(tree.paths.assignment)
    expect(node?.text).not.toBe('')
    expect(node?.session).toBeUndefined()
  })

  it('is followed by a registration without anything missing', () => {
    const tree = emptyNamespace()
    tree.apply(planCreation(tree.view, tree.member(x), creation), x)
    register(tree)
    expect(tree.view.jobState?.value).toEqual(arrival.jobState)
    expect(tree.server.get(tree.paths.shardStates)).toBeDefined()
  })

  it('keeps the state that is left of an earlier job of this name', () => {
    const tree = emptyNamespace()
    tree.server.put(tree.paths.jobState, encodeJobState({ lastRound: 7 }))
    tree.server.put(tree.paths.shardStates)
    expect(tree.apply(planCreation(tree.view, tree.member(x), creation), x)).toBe('committed')
    expect(tree.view.jobState?.value).toEqual({ lastRound: 7 })
  })

  it('adds what is missing to a node that is there', () => {
    const tree = emptyNamespace()
    tree.server.put(tree.paths.root, 'MyJob')
    const plan = planCreation(tree.view, tree.member(x), { ...creation, rootData: undefined })
    expect(tree.apply(plan, x)).toBe('committed')
    expect(tree.view.config?.text).toBe('cron: x')
    expect(tree.view.jobState?.value).toEqual(arrival.jobState)
  })

  it('fails if the job is being removed by now, whether it was there or not', () => {
    for (const before of [undefined, { lastRound: 7 }]) {
      const tree = emptyNamespace()
      if (before !== undefined) tree.server.put(tree.paths.jobState, encodeJobState(before))
      const plan = planCreation(tree.view, tree.member(x), creation)
      if (before === undefined) tree.server.put(tree.paths.jobState)
      const mark = part.set(tree.paths.jobState, encodeJobState({ lastRound: 7, removing: true }))
      expect(tree.apply([mark], y)).toBe('committed')
      expect(tree.apply(plan, x)).not.toBe('committed')
      expect(tree.server.get(tree.paths.root)).toBeUndefined()
    }
  })
})

describe('planRegistration', () => {
  const present: Situation = { instances: [y], servers: { '10.0.0.2': 'ENABLED' } }

  it('writes the server and the instance in one transaction', () => {
    const tree = jobTree(present)
    expect(register(tree)).toBe('ENABLED')
    expect(tree.view.instances).toEqual(new Set([y, x]))
    const node = tree.server.get(tree.paths.instance(x))
    expect([node?.text, node?.session]).toEqual(['jobInstanceId: x', x])
    expect(tree.server.get(tree.paths.server('10.0.0.1'))?.session).toBeUndefined()
  })

  it('makes what is missing of a job that an earlier version has left', () => {
    const tree = jobTree({ jobState: false })
    for (const path of [
      tree.paths.instances,
      tree.paths.servers,
      tree.paths.leader,
      tree.paths.shards,
    ]) {
      tree.server.drop(path)
    }
    tree.server.drop(tree.paths.shardStates)
    register(tree)
    for (const folder of ['instances', 'servers', 'leader', 'leader/election', 'sharding']) {
      expect(tree.view.folders).toContain(folder)
    }
    expect(tree.view.assignment?.value.digest).toBe('')
  })

  it('disables a new server of a job that an operator has disabled, and changes nothing of the job', () => {
    const servers = { '10.0.0.2': 'DISABLED' }
    const off = [{ why: 'disabled' as const, from: 1 }]
    const tree = jobTree({ instances: [y], servers, jobState: { disabled: true, off } })
    expect(register(tree)).toBe('DISABLED')
    expect(tree.view.jobState?.value).toMatchObject({ disabled: true, off })
  })

  it('enables a new server of a job whose servers were disabled one by one', () => {
    const servers = { '10.0.0.2': 'DISABLED' }
    const off = [{ why: 'disabled' as const, from: 1 }]
    const tree = jobTree({ instances: [y], servers, jobState: { off } })
    expect(register(tree)).toBe('ENABLED')
  })

  it('enables a server of a disabled job whose local configuration overwrites the stored one', () => {
    const tree = jobTree({ instances: [y], jobState: { disabled: true } })
    expect(register(tree, { overwrite: true })).toBe('ENABLED')
  })

  it('a new server is as the configuration says', () => {
    expect(register(jobTree(present), { disabled: true })).toBe('DISABLED')
  })

  it.each(['DISABLED', 'ENABLED'])('what an operator said survives a restart: %s', (stored) => {
    const situation = { ...present, servers: { '10.0.0.1': stored } }
    for (const disabled of [true, false]) {
      expect(register(jobTree(situation), { disabled })).toBe(stored)
    }
  })

  it('unless the configuration overwrites it', () => {
    const situation = (stored: string): Situation => ({
      ...present,
      servers: { '10.0.0.1': stored },
    })
    expect(register(jobTree(situation('DISABLED')), { overwrite: true })).toBe('ENABLED')
    const disabled = { overwrite: true, disabled: true }
    expect(register(jobTree(situation('ENABLED')), disabled)).toBe('DISABLED')
  })

  it('a server that an earlier version has left without a state is enabled', () => {
    expect(register(jobTree({ ...present, servers: { '10.0.0.1': '' } }))).toBe('ENABLED')
  })

  it('leaves what is said of other servers alone, down or not', () => {
    const servers = { '10.0.0.7': 'DISABLED', '10.0.0.8': 'ENABLED' }
    const tree = jobTree({ ...present, servers })
    register(tree, { overwrite: true })
    expect(tree.view.servers.get('10.0.0.7')).toBe('DISABLED')
    expect(tree.view.servers.get('10.0.0.8')).toBe('ENABLED')
  })

  it('makes nothing twice when the answer to it was lost: the instance stands already', () => {
    const tree = jobTree(present)
    register(tree)
    expect(register(tree)).toBe('ENABLED')
    expect(tree.view.instances).toEqual(new Set([y, x]))
  })

  it('fails when the state of the job was changed meanwhile: the job may be being removed', () => {
    const tree = jobTree(present)
    const plan = planRegistration(tree.view, tree.member(x), arrival)
    tree.server.put(tree.paths.jobState, '{"lastRound":0,"removing":true}', { version: 1 })
    expect(tree.apply(plan, x)).toBe('BAD_VERSION')
    expect(tree.view.instances).toEqual(new Set([y]))
  })

  it('of two instances at once on one host, the second plans again and comes in', () => {
    const neighbour = '10.0.0.1@-@12-nnnnnnnn'
    const tree = jobTree({})
    const plans = [x, neighbour].map((me) => planRegistration(tree.view, tree.member(me), arrival))
    expect(plans.map((plan) => tree.apply(plan, x))).toEqual(['committed', 'NODE_EXISTS'])
    register(tree, {}, neighbour)
    expect(tree.view.instances).toEqual(new Set([x, neighbour]))
  })
})

describe('planSchedule', () => {
  const noted = { from: 5, cron: '0 * * * * ?', total: 2 }
  const situation: Situation = {
    instances: [x],
    config: 'cron: y',
    jobState: {
      lastRound: 3,
      schedule: { digest: 'before', since: 5 },
      timeline: [noted],
      paused: true,
    },
  }
  const timing = { cron: '1 * * * * ?', total: 2 }
  const same = { cron: '0 * * * * ?', total: 2 }

  it('stamps a change of expression or zone with the time of the configuration', () => {
    const tree = jobTree(situation)
    expect(tree.apply(planSchedule(tree.view, tree.paths, 'after', timing), x)).toBe('committed')
    const since = tree.server.get(tree.paths.config)?.mtime
    expect(tree.view.jobState?.value).toEqual({
      lastRound: 3,
      paused: true,
      schedule: { digest: 'after', since },
      timeline: [noted, { from: since, ...timing }],
    })
  })

  it('planSchedule notes a new shard count, and leaves the schedule as it is', () => {
    const tree = jobTree(situation)
    const plan = planSchedule(tree.view, tree.paths, 'before', { ...same, total: 1 })
    expect(tree.apply(plan, x)).toBe('committed')
    const from = tree.server.get(tree.paths.config)?.mtime
    expect(tree.view.jobState?.value).toMatchObject({
      schedule: { digest: 'before', since: 5 },
      timeline: [noted, { from, cron: '0 * * * * ?', total: 1 }],
    })
  })

  it('planSchedule begins a timeline when the schedule began', () => {
    const shardState = { schedule: { digest: 'before', since: 5 } }
    const tree = jobTree({ ...situation, jobState: shardState })
    tree.apply(planSchedule(tree.view, tree.paths, 'before', same), x)
    expect(tree.view.jobState?.value.timeline).toEqual([{ from: 5, ...same }])
  })

  it('an edited description drops nothing', () => {
    const tree = jobTree(situation)
    expect(planSchedule(tree.view, tree.paths, 'before', same)).toEqual([])
  })

  it('does nothing to a job that has no configuration or no state', () => {
    for (const missing of [{ config: undefined }, { jobState: false as const }]) {
      const { config, ...rest } = { ...situation, ...missing }
      const tree = jobTree(config === undefined ? rest : { ...rest, config })
      expect(planSchedule(tree.view, tree.paths, 'after', timing)).toEqual([])
    }
  })

  it('does not undo what somebody else says in the word meanwhile', () => {
    const tree = jobTree(situation)
    const plan = planSchedule(tree.view, tree.paths, 'after', timing)
    tree.server.put(tree.paths.jobState, '{"lastRound":4}', { version: 1 })
    expect(tree.apply(plan, x)).toBe('BAD_VERSION')
  })
})

describe('planRegistration after a shutdown', () => {
  const gone = '10.0.0.1@-@10-aaaaaaaa'

  it('forgets those of its server who have left, and nobody else', () => {
    const tree = jobTree({ instances: [y], jobState: { shutdown: [gone, y, z] } })
    register(tree)
    expect(tree.view.jobState?.value.shutdown).toEqual([y, z])
  })

  it('keeps the wish for one of its server that has not left yet', () => {
    const tree = jobTree({ instances: [gone], jobState: { shutdown: [gone] } })
    register(tree)
    expect(tree.view.jobState?.value.shutdown).toEqual([gone])
  })

  it('leaves no empty list behind', () => {
    const tree = jobTree({ jobState: { shutdown: [gone] } })
    register(tree)
    expect(tree.view.jobState?.value).not.toHaveProperty('shutdown')
  })
})
