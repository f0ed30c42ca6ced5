/** Small clusters in which little may happen, so that all of it can be tried. */
import type { Action } from './actions.ts'
import {
  type Budget,
  type Cluster,
  emptyJob,
  type Instance,
  type Settings,
  start,
} from './cluster.ts'
import { concerns } from './concerns.ts'
import { type Rules, stepsOf } from './steps.ts'

export interface Scenario {
  readonly name: string
  readonly settings?: Partial<Settings>
  /** How many instances take part from the beginning, and how many may join. */
  readonly instances?: number
  readonly joining?: number
  readonly budget?: Partial<Budget>
  readonly actions?: readonly Action[]
  /** Instances may refresh their view without reading shard states again. */
  readonly splitsReads?: boolean
  /** The steps with which it begins, each by the beginning of its name: what follows is explored from there. */
  readonly begins?: readonly string[]
  /** One that begins in the middle may have few states: at least so many are explored, 100 if absent. */
  readonly leastStates?: number
  /** Concerns that have nothing to do in it: their steps are left out. */
  readonly without?: readonly string[]
}

const quiet = [
  'schedule',
  'triggers',
  'stops',
  'server node',
  'servers',
  'clearing',
  'dismissals',
  'reconcile',
]

export const scenarios: readonly Scenario[] = [
  {
    name: 'a leader and an owner die',
    joining: 1,
    budget: { deaths: 2, fires: 1 },
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'leaders follow each other',
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 2 },
    without: [...quiet, 'manual runs', 'crashes', 'takeovers'],
  },
  {
    name: 'a leader is deposed while an owner dies',
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 1, fires: 1, actions: 1 },
    actions: ['disable the first server'],
    without: [...quiet, 'manual runs', 'resharding', 'takeovers'],
  },
  {
    name: 'an instance node is deleted as Java does it',
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 1, fires: 1, actions: 1 },
    actions: ['delete the second instance as Java does'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'replies to claims are lost, and instances die',
    splitsReads: true,
    budget: { deaths: 1, fires: 1, lostReplies: 2 },
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'instances join and leave around a fire',
    instances: 1,
    joining: 2,
    budget: { departures: 1, fires: 1 },
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'a run is taken over until its attempts are used up',
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 2, fires: 1 },
    without: [...quiet, 'manual runs', 'resharding'],
  },
  {
    name: 'what waits for failover has not crashed',
    settings: { total: 1 },
    budget: { deaths: 1, fires: 1, actions: 1 },
    actions: ['let shard 0 wait for failover as Java does'],
    without: [...quiet.filter((one) => one !== 'dismissals'), 'manual runs'],
  },
  {
    name: 'runs end without having begun',
    settings: { total: 1 },
    budget: { deaths: 1, fires: 1, releases: 2 },
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'failover is off',
    settings: { failover: false },
    budget: { deaths: 1, fires: 2 },
    without: ['schedule', 'triggers', 'stops', 'server node', 'servers', 'manual runs'],
  },
  {
    name: 'failover is switched while instances die',
    settings: { total: 1 },
    budget: { deaths: 1, fires: 1, actions: 2 },
    actions: ['failover off', 'failover on'],
    without: ['schedule', 'triggers', 'stops', 'server node', 'servers', 'manual runs'],
  },
  {
    name: 'the number of shards changes',
    budget: { deaths: 1, fires: 1, actions: 2 },
    actions: ['one shard less', 'one shard more'],
    without: ['schedule', 'triggers', 'stops', 'server node', 'servers', 'manual runs', 'clearing'],
  },
  {
    name: 'manual runs beside a fire',
    budget: { deaths: 1, fires: 1, actions: 2 },
    actions: ['trigger', 'trigger shard 1'],
    without: quiet,
  },
  {
    name: 'triggers as Java makes them',
    settings: { total: 1 },
    budget: { deaths: 1, actions: 2 },
    actions: ['trigger as Java does', 'trigger'],
    without: quiet.filter((one) => one !== 'triggers' && one !== 'reconcile'),
  },
  {
    name: 'operators pause and resume',
    budget: { fires: 2, actions: 2 },
    actions: ['pause', 'resume', 'reshard'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'operators disable shards and servers',
    budget: { fires: 2, actions: 3 },
    actions: [
      'disable shard 0',
      'enable shard 0',
      'disable the first server',
      'enable all servers',
    ],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'an operator shuts a server down while it runs',
    budget: { fires: 1, actions: 2, deaths: 1 },
    actions: ['shut the first server down', 'reshard'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'a leader has stepped down and not heard of it, and a run has crashed',
    leastStates: 80,
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 1, fires: 1, actions: 1 },
    actions: ['disable the first server'],
    begins: [
      'the next fire time comes',
      'c claims shard 0',
      'c dies',
      'an operator: disable the first server',
      'a abdicates',
    ],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'the last attempt of a run crashes',
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 2, fires: 2 },
    begins: ['the next fire time comes', 'c claims', 'c dies'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'a shard that was taken over has another owner',
    leastStates: 8,
    settings: { total: 1 },
    instances: 3,
    budget: { deaths: 1, fires: 2 },
    begins: [
      'the next fire time comes',
      'c claims',
      'c dies',
      'a reports',
      'a takes over',
      'a reshards',
      'the next fire time comes',
    ],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'a job is resumed at a fire time',
    leastStates: 15,
    settings: { total: 1 },
    budget: { fires: 2, actions: 2 },
    actions: ['pause', 'resume'],
    begins: ['an operator: pause', 'the next fire time comes', 'an operator: resume'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'a server is disabled at a fire time',
    budget: { fires: 1, actions: 2 },
    actions: ['disable the first server', 'enable all servers'],
    begins: ['the next fire time comes', 'an operator: disable the first server'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'instances join while shards run',
    instances: 1,
    joining: 1,
    budget: { fires: 2, deaths: 1 },
    begins: ['the next fire time comes', 'a claims shard 0', 'a claims shard 1', 'b registers'],
    without: [...quiet, 'manual runs'],
  },
  {
    name: 'an operator stops a run',
    settings: { total: 1 },
    budget: { fires: 2, deaths: 1, actions: 2 },
    actions: ['stop the run of shard 0'],
    begins: [
      'the next fire time comes',
      'b claims shard 0',
      'an operator: stop the run of shard 0',
    ],
    without: [...quiet.filter((one) => one !== 'stops'), 'manual runs'],
  },
  {
    name: 'a job gets another schedule at a fire time',
    settings: { total: 1 },
    budget: { fires: 2, actions: 1 },
    actions: ['another schedule'],
    begins: ['the next fire time comes', 'an operator: another schedule'],
    without: [...quiet.filter((one) => one !== 'schedule'), 'manual runs'],
  },
  {
    name: 'static sharding',
    settings: { staticSharding: true },
    instances: 2,
    joining: 1,
    budget: { fires: 1, deaths: 1 },
    begins: ['c registers'],
    without: [...quiet, 'manual runs'],
  },
]

const nothing: Budget = {
  deaths: 0,
  departures: 0,
  fires: 0,
  lostReplies: 0,
  releases: 0,
  actions: 0,
}

export function rulesOf({
  settings,
  actions = [],
  splitsReads = false,
  without = [],
}: Scenario): Rules {
  const names = [...concerns.map(({ name }) => name), 'takeovers']
  return {
    shards: Math.max(settings?.total ?? 2, actions.includes('one shard more') ? 3 : 0),
    concerns: new Set(names.filter((name) => !without.includes(name))),
    actions,
    splitsReads,
  }
}

/** The instances that take part from the beginning are registered, one leads, and shards are assigned. */
export function clusterOf(scenario: Scenario): Cluster {
  const { instances: count = 2, joining = 0, settings, budget } = scenario
  const tree = emptyJob({ total: 2, failover: true, misfire: true, ...settings })
  const ids = Array.from({ length: count + joining }, (_, index) => idOf(index))
  const instances = ids.map((id): Instance => {
    return { id, status: 'new', view: tree, read: tree, runs: [] }
  })
  const from = { tree, time: start - 1, instances, history: [], budget: nothing }
  const settled = {
    ...settle(from, rulesOf(scenario), count),
    time: start - 1,
    budget: { ...nothing, ...budget },
  }
  return begin(settled, scenario)
}

/** Takes the steps with which a scenario begins; everybody sees everything before each of them. */
function begin(from: Cluster, scenario: Scenario): Cluster {
  let cluster = from
  for (const wanted of scenario.begins ?? []) {
    const instances = cluster.instances.map((one): Instance => {
      return one.status === 'gone' ? one : { ...one, view: cluster.tree, read: cluster.tree }
    })
    const steps = [...stepsOf({ ...cluster, instances }, rulesOf(scenario))]
    const step = steps.find(({ what }) => what.startsWith(wanted))
    if (step === undefined) throw new Error(`'${scenario.name}' cannot begin with '${wanted}'`)
    cluster = step.next
  }
  return cluster
}

/** Ids in which the order of names is that of ranks. */
function idOf(index: number): string {
  const letter = 'abcdefg'[index] as string
  return `10.0.0.${index + 1}@-@1-${letter.repeat(8)}`
}

function settle(from: Cluster, rules: Rules, count: number): Cluster {
  let cluster = from
  for (let limit = 0; limit < 100; limit++) {
    const registered = cluster.instances.filter(({ status }) => status !== 'new').length
    const steps = [...stepsOf(cluster, rules)]
    const step = steps.find(({ what }) => registered < count || !what.endsWith('registers'))
    const isDone = step === undefined || (registered >= count && step.what.startsWith('the next'))
    if (isDone) return cluster
    cluster = step.next
  }
  throw new Error('the scenario does not begin')
}
