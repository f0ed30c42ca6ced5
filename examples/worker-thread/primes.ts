/** Runs in its own thread and can keep a processor busy for as long as it needs. */
import type { ShardingContext } from '@elasticjob/core'

const numbers = 2_000_000

export function countPrimes({ shardingItem, logger }: ShardingContext): void {
  const first = 2 + shardingItem * numbers
  let count = 0
  for (let number = first; number < first + numbers; number++) if (isPrime(number)) count += 1
  logger.info(`shard ${shardingItem}: there are ${count} primes among ${numbers} from ${first} on`)
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) return false
  }
  return true
}
