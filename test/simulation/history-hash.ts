/** One number for everything that a simulation has seen: two that differ are two different stories. */
import { createHash } from 'node:crypto'

import type { History } from './history.ts'

export function hashOf({ runs, javaRuns, states, told, done, tree }: History): string {
  const all = [runs, javaRuns, states, told, done, [...tree]]
  const text = JSON.stringify(all, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  // The process's own id is part of every instance's, and of the digests made from them.
  const same = text
    .replaceAll(`@-@${process.pid}-`, '@-@0-')
    .replaceAll(/\\"digest\\":\\"[^"]*\\"/g, '')
  return createHash('sha256').update(same).digest('hex').slice(0, 16)
}
