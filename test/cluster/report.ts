/** An experiment in figures. */
import { changeCount, type Experiment } from './experiment.ts'
import { stallEvent } from './worker-options.ts'

/** Everything that must not be, each in a line; empty for a run in which all was well. */
export function failuresOf({ violations, changes, lost, log }: Experiment): string[] {
  return [
    ...violations.map((violation) => JSON.stringify(violation)),
    ...changes
      .filter(({ fires }) => fires > 1)
      .map(
        (change) =>
          `shards without their owner for ${change.fires} fires: ${JSON.stringify(change)}`,
      ),
    ...lost.map((worker) => `worker ${worker} ended by itself`),
    ...log.events.filter(({ event }) => isFault(event)).map((event) => JSON.stringify(event)),
  ]
}

/** What never happens to a fleet whose servers are well. */
function isFault(event: string): boolean {
  return ['error:unhandled', 'sharding:failed', 'run:orphaned', 'run:superseded'].includes(event)
}

export function metricsOf(experiment: Experiment): string {
  const { changes, processes, expected, log, violations, duration } = experiment
  const lines = [
    `${(duration / 1000).toFixed(0)} s, ${changes.length} steps with ${changeCount(changes)} changes, ${processes} processes started`,
    `${expected.reduce((sum, { fires }) => sum + fires.length, 0)} fires, ` +
      `${expected.reduce((sum, { fires, shards }) => sum + fires.length * shards, 0)} runs expected, ${log.runs.length} runs`,
  ]
  for (const { job } of expected) {
    const runs = log.runs.filter((run) => run.job === job)
    lines.push(
      `${job}: ${inQuantiles(
        'late',
        runs.map(({ start, fireTime }) => start - fireTime),
      )}`,
    )
  }
  lines.push(
    `steps: ${inQuantiles(
      'settled after',
      changes.map(({ took }) => took),
    )}`,
  )
  lines.push(`fires before settled: ${inCounts(changes.map(({ fires }) => String(fires)))}`)
  lines.push(`events: ${inCounts(log.events.map(({ event }) => event))}`)
  const stalls = log.events.filter(({ event }) => event === stallEvent)
  lines.push(
    `workers that could not run for a while: ${inQuantiles(
      `${stalls.length} times, for`,
      stalls.map(({ payload }) => (payload as { late: number }).late),
    )}`,
  )
  lines.push(`runs by source: ${inCounts(log.runs.map(({ source }) => source))}`)
  lines.push(`violations: ${inCounts(violations.map(({ kind }) => kind))}`)
  return lines.join('\n')
}

function inQuantiles(what: string, values: readonly number[]): string {
  if (values.length === 0) return `${what} nothing`
  const sorted = values.toSorted((a, b) => a - b)
  const at = (fraction: number): number =>
    sorted[Math.min(Math.floor(fraction * sorted.length), sorted.length - 1)] as number
  return `${what} p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`
}

/** `a 2, b 1`: how often each name is there. */
export function inCounts(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  if (counts.size === 0) return 'none'
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
