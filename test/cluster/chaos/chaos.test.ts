import { expect, inject, it } from 'vitest'
import { runChaos } from './experiment.ts'
import { chaosMetrics } from './report.ts'

it.skipIf(!inject('realZooKeeper'))(
  'nothing is lost, doubled or left behind, whoever is killed, stopped or cut off',
  { timeout: 600_000 },
  async () => {
    const steps: string[] = []
    const chaos = await runChaos({
      target: 'ensemble',
      minutes: 1,
      seed: 3,
      keepLogs: false,
      told: (line) => steps.push(line),
    })
    const failures = chaos.violations.map(({ rule, text }) => `${rule}: ${text}`)
    // What happened around it, for whoever has to find the cause.
    if (failures.length > 0) failures.splice(20, Infinity, chaosMetrics(chaos), ...steps)
    expect(failures).toEqual([])
  },
)
