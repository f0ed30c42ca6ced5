/** The owners of all shards in one line: `A 0 1* B 2 3 ? 4!`. */
import type { ShardDetail, ShardPhase } from '@elasticjob/core/operations'

import type { Style } from '../output/style.ts'
import type { Painted } from '../output/table.ts'

/** The legend in the title of the column. */
export const stripLegend = '* runs, - off, ! trouble'

/** This many consecutive shards or more are written as `0-33`. */
const shortestRange = 4

type Mark = '' | '*' | '-' | '!'

/** The shards by owner; those without an owner are last, after a question mark. */
export function shardStrip(
  shards: readonly ShardDetail[],
  nameOf: (instance: string) => string,
  style: Style,
): readonly Painted[] {
  const nobody = '?'
  const byName = new Map<string, ShardDetail[]>()
  for (const shard of shards) {
    const name = shard.owner === undefined ? nobody : nameOf(shard.owner)
    byName.set(name, [...(byName.get(name) ?? []), shard])
  }
  const names = [...byName.keys()].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return names.flatMap((name, index) => [
    {
      text: `${index === 0 ? '' : '   '}${name}`,
      paint: name === nobody ? style.bad : style.accent,
    },
    ...ranges(byName.get(name) ?? []).map(({ text, mark }) => ({
      text: ` ${text}${mark}`,
      paint: paintOf(mark, style),
    })),
  ])

  /** A before AA, and no owner last. */
  function rank(name: string): number {
    return name === nobody ? Infinity : name.length
  }
}

function paintOf(mark: Mark, style: Style): Painted['paint'] {
  switch (mark) {
    case '*':
      return style.good
    case '-':
      return style.doubtful
    case '!':
      return style.bad
    case '':
      return (text) => text
  }
}

function markOf(state: ShardPhase): Mark {
  switch (state) {
    case 'running':
    case 'stopping':
    case 'taken-over':
      return '*'
    case 'disabled':
    case 'paused':
      return '-'
    case 'pending':
      return ''
    default:
      return '!'
  }
}

function ranges(shards: readonly ShardDetail[]): { text: string; mark: Mark }[] {
  const runs: { first: number; last: number; mark: Mark }[] = []
  for (const { shard: shardingItem, state } of shards) {
    const mark = markOf(state)
    const run = runs.at(-1)
    if (run !== undefined && run.last === shardingItem - 1 && run.mark === mark)
      run.last = shardingItem
    else runs.push({ first: shardingItem, last: shardingItem, mark })
  }
  return runs.flatMap(({ first, last, mark }) => {
    const count = last - first + 1
    if (count >= shortestRange) return [{ text: `${first}-${last}`, mark }]
    return Array.from({ length: count }, (_, index) => ({ text: String(first + index), mark }))
  })
}
