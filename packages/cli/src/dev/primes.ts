/** The body of a sample job that keeps a CPU busy, and so runs in a worker thread. */
import type { ShardingContext } from '@elasticjob/core'

const numbers = 100_000

export function countPrimes({ shardingItem, signal }: ShardingContext): number {
  const first = 2 + shardingItem * numbers
  let count = 0
  for (let number = first; number < first + numbers && !signal.aborted; number++) {
    if (isPrime(number)) count += 1
  }
  return count
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) return false
  }
  return true
}
