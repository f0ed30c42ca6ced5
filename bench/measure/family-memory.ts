import { readFileSync } from 'node:fs'
import { childrenOf } from '../../test/services/process-table.ts'

/** What a process and those that it has started have in memory, in megabytes; what they share counts once. */
export function familyMegabytes(pid: number): number {
  return [pid, ...childrenOf(pid)].map(proportionalMegabytes).reduce((sum, each) => sum + each, 0)
}

/** Pages shared by several processes count for each in proportion. Nothing for one that has ended. */
function proportionalMegabytes(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
