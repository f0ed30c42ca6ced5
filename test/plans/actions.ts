/** What operators do: with the plans that the command line and the console use, on what they have just read. */
import { serverOf } from '../../packages/core/src/job-tree/instance-id.ts'
import { planPause, planResume } from '../../packages/core/src/operations/pause-plan.ts'
import { planReshard } from '../../packages/core/src/operations/reshard-plan.ts'
import { runnerOf } from '../../packages/core/src/operations/runner.ts'
import { planShutdown } from '../../packages/core/src/operations/shutdown-plan.ts'
import { planStopRun } from '../../packages/core/src/operations/stop-run-plan.ts'
import {
  planDisable,
  planEnable,
  planShardDisable,
  planShardEnable,
} from '../../packages/core/src/operations/switch-plan.ts'
import { part, type TransactionPart } from '../../packages/core/src/registry/transaction.ts'
import { planManualRun } from '../../packages/core/src/trigger/plan.ts'
import { type Cluster, writeSettings } from './cluster.ts'
import { rawTriggers } from './concerns.ts'
import { settingsOf } from './due-shards.ts'
import type { Tree } from './tree.ts'
import { paths, shardStateOf, viewOf } from './view.ts'

export type Action =
  | 'disable shard 0'
  | 'enable shard 0'
  | 'pause'
  | 'resume'
  | 'trigger'
  | 'trigger shard 1'
  | 'trigger as Java does'
  | 'reshard'
  | 'disable the first server'
  | 'enable all servers'
  | 'shut the first server down'
  | 'delete the second instance as Java does'
  | 'let shard 0 wait for failover as Java does'
  | 'one shard less'
  | 'one shard more'
  | 'failover off'
  | 'failover on'
  | 'stop the run of shard 0'
  | 'another schedule'

const operator = { paths }

/** Undefined if it changes nothing. */
export function carryOutAction(
  action: Action,
  { tree, time, instances }: Cluster,
): Tree | undefined {
  const [first, second] = instances.map(({ id }) => id)
  const operations = operationsOf(action, tree, time, first ?? '', second ?? '')
  if (operations.length === 0) return undefined
  const after = tree.apply(operations, 'operator', time)
  if (typeof after === 'string') throw new Error(`an operator cannot ${action}: ${after}`)
  return after
}

function operationsOf(
  action: Action,
  tree: Tree,
  now: number,
  first: string,
  second: string,
): readonly TransactionPart[] {
  const view = viewOf(tree)
  const server = serverOf(first)
  switch (action) {
    case 'disable shard 0':
      return planShardDisable(view, operator, 0).operations
    case 'enable shard 0':
      return planShardEnable(view, operator, 0, shardStateOf(tree, 0), {
        now,
        disabledAt: tree.get(paths.mark(0, 'disabled'))?.ctime ?? 0,
      }).operations
    case 'pause':
      return planPause(view, operator, now).operations
    case 'resume':
      return planResume(view, operator, now).operations
    case 'trigger':
    case 'trigger shard 1': {
      const { pending } = view.jobState?.value ?? {}
      if (pending !== undefined || view.instances.size === 0) return []
      const request = action === 'trigger' ? {} : { shards: [1] }
      return planManualRun(view, operator, request, now).operations
    }
    case 'trigger as Java does':
      return view.triggers.size > 0 ? [] : rawTriggers(view)
    case 'reshard':
      return planReshard(view, operator).operations
    case 'disable the first server':
      return planDisable(view, operator, now, server).operations
    case 'enable all servers':
      return planEnable(view, operator, now).operations
    case 'shut the first server down':
      return planShutdown(view, operator, server).operations
    case 'delete the second instance as Java does':
      return view.instances.has(second) ? [part.delete(paths.instance(second))] : []
    case 'let shard 0 wait for failover as Java does':
      return view.failoverShards.has(0) ? [] : [part.create(paths.failoverShard(0))]
    case 'one shard less':
    case 'one shard more': {
      const settings = settingsOf(view)
      const total = settings.total + (action === 'one shard less' ? -1 : 1)
      return total < 1 || total > 3
        ? []
        : [part.set(paths.config, writeSettings({ ...settings, total }))]
    }
    case 'stop the run of shard 0': {
      const known = shardStateOf(tree, 0)
      const shardStates = new Map(known === undefined ? [] : [[0, known] as const])
      const job = { view, shardStates, broken: [] }
      return runnerOf(job, 0) === undefined ? [] : planStopRun(job, operator, 0).operations
    }
    case 'another schedule': {
      const settings = settingsOf(view)
      const { schedule = 0 } = settings
      return [part.set(paths.config, writeSettings({ ...settings, schedule: schedule + 1 }))]
    }
    case 'failover off':
    case 'failover on': {
      const settings = settingsOf(view)
      const failover = action === 'failover on'
      return settings.failover === failover
        ? []
        : [part.set(paths.config, writeSettings({ ...settings, failover }))]
    }
  }
}
