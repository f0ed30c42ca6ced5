import { expect, inject, it } from 'vitest'
import { letThemClick } from './operators/experiment.ts'

const target = inject('target')

it.skipIf(target !== 'embedded' && !inject('realZooKeeper'))(
  'after a thousand things that operators did to running processes, all jobs run and nothing is left',
  { timeout: 240_000 },
  async () => {
    const options = { target, seed: 1, actions: 1000, operators: 4 }
    const { done, unexpected, recovered, repeated, runs, leftovers } = await letThemClick(options)
    expect(unexpected).toEqual([])
    expect(recovered).toEqual(['alpha', 'beta', 'gamma'])
    expect(repeated).toEqual([])
    expect(leftovers).toEqual([])
    expect(runs).toBeGreaterThan(0)
    // None of it was refused throughout; whether a run could be stopped is a matter of moments.
    expect([...done.keys()].filter((what) => what !== 'stop-run').toSorted()).toEqual([
      'configure',
      'disable',
      'disable-shard',
      'enable',
      'enable-shard',
      'look',
      'pause',
      'remove',
      'reshard',
      'resume',
      'shutdown',
      'trigger',
    ])
  },
)
