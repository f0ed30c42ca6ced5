/** Processes that simulate seeds: each seed goes to whichever is free. */
import { type ChildProcess, fork } from 'node:child_process'

import type { Report, WorkerOptions } from './worker.ts'

/** Most of what a simulation makes is soon garbage: a larger nursery keeps it from being copied. */
const nodeOptions = ['--max-semi-space-size=64', '--enable-source-maps']

export interface Pool {
  /** The program of the processes, and how many of them there are. */
  readonly program: string
  readonly jobs: number
  readonly options: WorkerOptions
}

/** `take` answers whether to go on with seeds that are not begun. */
export async function simulateSeeds(
  { program, jobs, options }: Pool,
  seeds: Iterator<number>,
  take: (report: Report) => boolean,
): Promise<void> {
  let isOver = false
  const sendNext = (child: ChildProcess): void => {
    const next = isOver ? undefined : seeds.next()
    if (next === undefined || next.done === true) child.disconnect()
    else child.send(next.value)
  }
  const oneProcess = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(program, [JSON.stringify(options)], { execArgv: nodeOptions })
      child.on('message', (report) => {
        isOver = !take(report as Report) || isOver
        sendNext(child)
      })
      child.on('error', reject)
      child.on('exit', (code) => {
        if (code === 0) resolve()
        else reject(new Error(`a process of the simulation ended with ${code}`))
      })
      sendNext(child)
    })
  await Promise.all(Array.from({ length: jobs }, oneProcess))
}
