/** Which faults have met which situations, over many simulations. */
import { leaderPhases, type Situation, shardStates } from './situation.ts'

/** How often each fault met each situation, by a key of both. */
export type Coverage = Readonly<Record<string, number>>

export function coverageKey(kind: string, { shard, leader }: Situation): string {
  return `${kind} ${shard}/${leader}`
}

export function sumOfCoverage(one: Coverage, other: Coverage): Coverage {
  const sum: Record<string, number> = { ...one }
  for (const [key, count] of Object.entries(other)) sum[key] = (sum[key] ?? 0) + count
  return sum
}

const columns = shardStates.flatMap((shard) => leaderPhases.map((leader) => ({ shard, leader })))

/** A row for each fault, a column for each situation: shard state over leader phase. */
export function tableOf(coverage: Coverage): string {
  const kinds = [...new Set(Object.keys(coverage).map((key) => key.split(' ')[0] ?? ''))].toSorted()
  const cell = (text: string): string => text.padStart(7)
  const head = (name: (one: Situation) => string): string =>
    ''.padEnd(20) + columns.map((one) => cell(name(one).slice(0, 6))).join('')
  const rows = kinds.map((kind) => {
    const counts = columns.map((one) => cell(String(coverage[coverageKey(kind, one)] ?? 0)))
    return kind.padEnd(20) + counts.join('')
  })
  const all = kinds.length * columns.length
  const met = Object.keys(coverage).length
  return [
    `coverage: ${met} of ${all} combinations of fault, shard state and leader phase`,
    head(({ shard }) => shard),
    head(({ leader }) => leader),
    ...rows,
  ].join('\n')
}
