/** `elasticjob shards`: who runs which item of a job. */
import type { ShardDetail } from '@elasticjob/core'
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
    .summary('show the items of a job: owners, states, last runs')
    .description('Shows the items of a job: who owns each, what it does, how its last run went.')
    .argument('<job>', 'the name of the job')
    .action((jobName: string, flags: ShardsFlags) => showShards(cli, jobName, flags))
  withExamples(withJson(withRegistry(command)), [
    ['elasticjob shards sync-orders', ''],
    ['elasticjob disable sync-orders --item 3', 'keep one of them from running'],
    ['elasticjob stop sync-orders --item 3', 'end its present run'],
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

/** The items of a job as a table; what is in an item's way stands at its end. */
export function shardColumns(style: Style, now: number): readonly Column<ShardDetail>[] {
  return [
    { title: 'ITEM', align: 'right', cell: ({ item }) => String(item) },
    { title: 'PARAMETER', cell: ({ parameter }) => parameter ?? '-' },
    { title: 'STATE', cell: (shard) => shardStateCell(shard, style) },
    { title: 'OWNER', cell: ({ owner }) => (owner === undefined ? '-' : instanceName(owner)) },
    { title: 'LAST BEGIN', cell: ({ lastBeginTime: at }) => (at ? clockTime(at.getTime()) : '-') },
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
  return movesTo === undefined ? '' : `then moves to ${instanceName(movesTo)}`
}
