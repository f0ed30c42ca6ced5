/** The execution of a job on a hand-made tree, step by step. */
import { ExecutionService } from '../../src/execution/service.ts'
import type { ClaimedRun } from '../../src/execution/run.ts'
import { encodeShardState, type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { jobTree, type Situation, x, y } from '../tree.ts'
import { period, TreeHost } from './tree-host.ts'
import { configOf } from './tree-reader.ts'

/** A fire time; the nodes of shards were made long before. */
export const T = 3_000_000

const lastRun: Partial<ShardState> = {
  state: 'idle',
  run: 'last',
  instance: x,
  fireTime: T - period,
  attempt: 1,
  begin: T - period,
  end: T - period + 5,
}

/** `x` owns shards 0 and 1, `y` shard 2; all of them last ran one period ago. */
export const calm: Situation = {
  instances: [x, y],
  leader: y,
  owners: [x, x, y],
  shardStates: { 0: lastRun, 1: lastRun, 2: lastRun },
  config: configOf(),
}

export class ExecutionBench {
  readonly at: TreeHost
  readonly service: ExecutionService

  private constructor(situation: Situation) {
    this.at = new TreeHost(jobTree(situation), x)
    this.at.now = T
    this.service = new ExecutionService(this.at.host)
  }

  /** As `x`, which has read its shards. */
  static async begin(situation: Situation = calm): Promise<ExecutionBench> {
    const bench = new ExecutionBench(situation)
    const owners = situation.owners ?? []
    const mine = owners.flatMap((owner, shard) => (owner === x ? [shard] : []))
    bench.service.own(new Set(mine), () => ({ since: 0, byTurn: false }))
    bench.service.step(T - 1)
    await settled()
    return bench
  }

  async step(now = this.at.now): Promise<void> {
    this.at.now = now
    this.service.step(now)
    await settled()
  }

  async end(run: ClaimedRun | undefined, ...how: Parameters<ClaimedRun['finish']>): Promise<void> {
    run?.finish(...how)
    await settled()
  }

  state(shard = 0): ShardState {
    return this.at.tree.shardState(shard) as ShardState
  }

  /** Somebody else changes the state of a shard. */
  write(shard: number, changes: Partial<ShardState>): void {
    const { server, paths } = this.at.tree
    const { version = -1 } = server.get(paths.shardState(shard)) ?? {}
    const text = encodeShardState({ ...(this.at.tree.shardState(shard) ?? neverRun), ...changes })
    server.put(paths.shardState(shard), text, { version: version + 1 })
  }

  marks(shard = 0): string[] {
    return this.at.tree.server.children(this.at.tree.paths.shard(shard))
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve()
}
