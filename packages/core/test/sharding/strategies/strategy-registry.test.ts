import { describe, expect, it } from 'vitest'

import { ConfigurationError } from '../../../src/errors.ts'
import type { ShardingStrategy } from '../../../src/sharding/strategies/strategy.ts'
import { StrategyRegistry } from '../../../src/sharding/strategies/strategy-registry.ts'

const mine: ShardingStrategy = { type: 'Mine', shard: () => new Map() }

describe('StrategyRegistry', () => {
  it('knows strategies by name, in any capitals, and the default without one', () => {
    const strategies = new StrategyRegistry([mine])
    expect(strategies.get(undefined).type).toBe('AVG_ALLOCATION')
    expect(strategies.get('round_robin').type).toBe('ROUND_ROBIN')
    expect(strategies.get('MINE')).toBe(mine)
  })

  it('does not fall back to the default for a name that it does not know, as Java does', () => {
    const get = (): unknown => new StrategyRegistry([mine]).get('RANDOM')
    expect(get).toThrow(ConfigurationError)
    expect(get).toThrow(
      'jobShardingStrategyType: there is no strategy "RANDOM"; there are AVG_ALLOCATION, ODEVITY, ' +
        'ROUND_ROBIN, SINGLE_SHARDING_BALANCE, STICKY, SPREAD, Mine',
    )
  })

  it.each(['', 'sticky'])('refuses a strategy of the name "%s"', (type) => {
    expect(() => new StrategyRegistry([{ ...mine, type }])).toThrow(ConfigurationError)
  })
})
