import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** What a process prints until it ends, line by line; rejects with its complaints if it fails. */
export async function printedLines(child: ChildProcess): Promise<string[]> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the process has no pipes')
  let complaints = ''
  stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString()}`.slice(-4_000)
  })
  const lines: string[] = []
  createInterface(stdout).on('line', (line) => lines.push(line))
  await once(child, 'close')
  if (child.exitCode !== 0) {
    throw new Error(
      `the program ended with ${child.exitCode ?? child.signalCode} after "${lines.at(-1)}":\n${complaints}`,
    )
  }
  return lines
}
