import { ConfigurationError } from '../../errors.ts'
import { averageAllocation } from './average-allocation.ts'
import { odevity } from './odevity.ts'
import { roundRobin } from './round-robin.ts'
import { singleShardingBalance } from './single-sharding-balance.ts'
import { spread } from './spread.ts'
import { sticky } from './sticky.ts'
import type { ShardingStrategy } from './strategy.ts'

const builtIn: readonly ShardingStrategy[] = [
  averageAllocation,
  odevity,
  roundRobin,
  singleShardingBalance,
  sticky,
  spread,
]

/** The strategies that a job can select by name, custom ones included. Names are case-insensitive. */
export class StrategyRegistry {
  readonly #strategies = new Map<string, ShardingStrategy>()

  constructor(custom: readonly ShardingStrategy[] = []) {
    for (const strategy of [...builtIn, ...custom]) this.#add(strategy)
  }

  /** Returns the strategy with this name, AVG_ALLOCATION without a name; throws if the name is unknown. */
  get(type: string | undefined): ShardingStrategy {
    const strategy = this.#strategies.get((type ?? averageAllocation.type).toUpperCase())
    if (strategy !== undefined) return strategy
    throw refused(`there is no strategy "${type}"; there are ${this.names.join(', ')}`)
  }

  /** All names, in the order of registration. */
  get names(): string[] {
    return [...this.#strategies.values()].map(({ type }) => type)
  }

  #add(strategy: ShardingStrategy): void {
    const name = strategy.type.toUpperCase()
    if (name === '') throw refused('a strategy needs a name')
    if (this.#strategies.has(name)) throw refused(`there are two strategies "${strategy.type}"`)
    this.#strategies.set(name, strategy)
  }
}

function refused(message: string): ConfigurationError {
  return new ConfigurationError('the sharding strategy', [
    { key: 'jobShardingStrategyType', message },
  ])
}
