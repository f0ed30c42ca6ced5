import { readFileSync } from 'node:fs'

/** What Linux knows of another process. */
export interface Usage {
  readonly rssMegabytes: number
  /** User and system time since it started, to a hundredth of a second. */
  readonly cpuSeconds: number
  readonly threads: number
}

const ticksPerSecond = 100

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rss = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN)
  // The name of the program stands in brackets and may hold anything; the fields come behind it.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const threads = Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1] ?? Number.NaN)
  return { rssMegabytes: rss / 1024, cpuSeconds: ticks / ticksPerSecond, threads }
}
