/** What the programs of all workers share: their log, the wait for their turn, and how late they are. */
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { joinLine, loadedLine } from './worker-lines.ts'

/** Writes at once, line by line: what happened is known whatever becomes of the process. */
export function openLog(file: string): (line: object) => void {
  const log = openSync(file, 'a')
  return (line) => {
    writeSync(log, `${JSON.stringify(line, plain)}\n`)
  }
}

function plain(_: string, value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message
  return typeof value === 'bigint' ? String(value) : value
}

/** Loading code takes the machine's time; the fleet decides when, and who joins together. */
export async function untilToldToJoin(): Promise<void> {
  process.stdout.write(`${loadedLine}\n`)
  const lines = createInterface({ input: process.stdin })
  for (let line = ''; line !== joinLine;) [line] = (await once(lines, 'line')) as [string]
  process.stdin.destroy()
}

/** How often a worker looks whether it was kept from running, in milliseconds. */
const lookEvery = 50

/** Tells when this process, or the whole machine, was late with everything by more than `longest` milliseconds. */
export function watchForStalls(
  now: () => number,
  longest: number,
  told: (at: number, late: number) => void,
): void {
  let expected = now() + lookEvery
  const look = setInterval(() => {
    const at = now()
    const late = at - expected
    if (late > longest) told(at, late)
    expected = at + lookEvery
  }, lookEvery)
  look.unref()
}
