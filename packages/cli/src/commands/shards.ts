/** `elasticjob shards`: lists the shards of a job. */
import type { ShardDetail } from '@elasticjob/core/operations'
import type { Command } from 'commander'

import type { Cli } from '../cli.ts'
import { type JsonFlag, withExamples, withJson, withRegistry } from '../command-options.ts'
import { inEnglish } from '../output/in-english.ts'
import { clockTime, duration } from '../output/moments.ts'
import { instanceName, outcomeCell, shardStateCell } from '../output/states.ts'
import type { Style } from '../output/style.ts'
import type { Column } from '../output/table.ts'
import { withOperations } from '../registry/open.ts'
import type { RegistryFlags } from '../registry/resolve.ts'

type ShardsFlags = RegistryFlags & JsonFlag

export function addShardsCommand(program: Command, cli: Cli): void {
  const command = program
    .command('shards')
    .alias('items')
    .summary('list the shards of a job: owners, states, last runs')
    .description('Lists the shards of a job with owner, state and last run.')
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: ShardsFlags) => showShards(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob shards sync-orders', ''],
    ['elasticjob disable sync-orders --shard 3', 'disable one shard'],
    ['elasticjob stop sync-orders --shard 3', 'abort the active run of one shard'],
  ])
}

async function showShards(cli: Cli, jobName: string, flags: ShardsFlags): Promise<void> {
  const { output, clock } = cli
  await withOperations(cli, flags, async (operations) => {
    const { shards } = await operations.job(jobName)
    if (flags.json === true) output.json(shards.map(inEnglish))
    else output.table(shardColumns(output.style, clock.now()), shards)
  })
}

/** The shards of a job as a table; the last column says what blocks a shard. */
export function shardColumns(style: Style, now: number): readonly Column<ShardDetail>[] {
  return [
    { title: 'SHARD', align: 'right', cell: ({ shard: shardingItem }) => String(shardingItem) },
    { title: 'PARAMETER', cell: ({ parameter }) => parameter ?? '-' },
    { title: 'STATE', cell: (shard) => shardStateCell(shard, style) },
    { title: 'OWNER', cell: ({ owner }) => (owner === undefined ? '-' : instanceName(owner)) },
    { title: 'LAST START', cell: ({ lastBeginTime: at }) => (at ? clockTime(at.getTime()) : '-') },
    { title: 'TOOK', align: 'right', cell: (shard) => durationOf(shard, now) },
    { title: 'OUTCOME', cell: (shard) => outcomeCell(shard, style) },
    { title: '', cell: ({ obstacle, movesTo }) => obstacle ?? movement(movesTo) },
  ]
}

function durationOf({ run }: ShardDetail, now: number): string {
  if (run === undefined) return '-'
  return duration((run.end?.getTime() ?? now) - run.begin.getTime())
}

function movement(movesTo: string | undefined): string {
  return movesTo === undefined ? '' : `moves to ${instanceName(movesTo)} next`
}
