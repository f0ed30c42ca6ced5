import { expect, inject, it } from 'vitest'
import { runExperiment } from './experiment.ts'
import { failuresOf, metricsOf } from './report.ts'

const target = inject('target')

it.skipIf(target !== 'embedded' && !inject('realZooKeeper'))(
  'every shard runs exactly once at every fire, whoever comes and goes',
  { timeout: 180_000 },
  async () => {
    const steps: string[] = []
    const experiment = await runExperiment({
      target,
      minutes: 1,
      seed: 1,
      shards: [1, 10, 100, 1000],
      // Whoever runs this may have other things to do for a second; the long run by hand allows none.
      catchUp: 'all',
      keepLogs: false,
      told: (line) => steps.push(line),
    })
    const failures = failuresOf(experiment)
    // What happened around it, for whoever has to find the cause.
    if (failures.length > 0) failures.splice(20, Infinity, metricsOf(experiment), ...steps)
    expect(failures).toEqual([])
  },
)
