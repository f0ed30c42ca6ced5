/** A chaos run in figures. */
import { inCounts } from '../report.ts'
import type { ChaosRun } from './experiment.ts'

export function chaosMetrics(run: ChaosRun): string {
  const { steps, facts, account, violations, processCount, failedStarts, restarts, duration } = run
  const { actionCount, lossCount, earliest } = run
  const { runs, events } = facts
  const orphaned = events.filter(({ event }) => event === 'run:orphaned').length
  const stops = facts.still.flat().map(([from, to]) => to - from)
  return [
    `${(duration / 1000).toFixed(0)} s, ${steps.length} faults, ${processCount} processes started, ${failedStarts} of them in vain; ${restarts} servers started again by hand`,
    `faults: ${inCounts(steps.map(({ fault }) => fault.kind))}`,
    `operators: ${actionCount} actions; the registry's data was replaced ${lossCount} times`,
    `earliest begin: ${Math.round(earliest)} ms before the fire time`,
    `offsets saved: ${runs.reduce((sum, { saved }) => sum + saved.length, 0)}`,
    `runs: ${runs.length} begun, ${inCounts(runs.map(({ source }) => source))}`,
    `attempts: ${inCounts(runs.map(({ attempt }) => `no. ${attempt}`))}`,
    `told to stop: ${runs.filter(({ aborted }) => aborted !== undefined).length} runs, ${orphaned} orphaned`,
    `processes stood still: ${stops.length} times, for ${Math.round(Math.max(0, ...stops))} ms at most`,
    `fire times of shards: ${Object.entries(account.counts)
      .map(([fate, count]) => `${fate} ${count}`)
      .join(', ')}`,
    `manual runs: ${facts.asked.length} accepted`,
    `events: ${inCounts(events.map(({ event }) => event))}`,
    `violations: ${inCounts(violations.map(({ rule }) => rule))}`,
  ].join('\n')
}
