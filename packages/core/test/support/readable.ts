import { type Decoded, reasonOf } from '../../src/decode/problem.ts'

/** The value of stored data; throws why it cannot be read. */
export function readable<T>({ value, problem }: Decoded<T>): T {
  if (problem !== undefined) throw new Error(reasonOf(problem).text)
  return value
}
