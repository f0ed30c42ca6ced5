import { parseArgs } from 'node:util'

import { runAgainstHostileServer } from './hostile-run.ts'

const help = `Sends requests to a server that answers with random, truncated, oversized and reordered frames.

  npm run fuzz:client -- [--frames 100000] [--seed 1]

Fails if a request ends without an answer or a typed error, or if memory grows.`

const allowedGrowth = 4 * 1024 * 1024

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(help)
} else {
  const frames = Number(values.frames)
  const seed = Number(values.seed)
  if (!(frames > 0) || !Number.isInteger(seed)) {
    console.error(`--frames must be a positive number and --seed an integer\n\n${help}`)
    process.exit(2)
  }
  let shown = 0
  const run = await runAgainstHostileServer({
    frames,
    seed,
    progress: (done) => {
      if (done - shown < frames / 10) return
      shown = done
      process.stderr.write(`${done} of ${frames} unsound frames\n`)
    },
  })
  const grown = run.memoryLate - run.memoryEarly
  console.log(
    `${run.frames} frames (${run.unsound} unsound) over ${run.connections} connections, seed ${seed}: ` +
      `${run.answered} requests answered, ${sum(run.errors)} typed errors, ${run.untyped.length} others; ` +
      `memory ${mebibytes(run.memoryEarly)} MiB after a tenth, ${mebibytes(run.memoryLate)} MiB at the end`,
  )
  for (const [code, count] of Object.entries(run.errors)) console.log(`  ${code} ${count}`)
  for (const error of run.untyped.slice(0, 5)) console.error(`not a typed error: ${error}`)
  if (run.untyped.length > 0 || grown > allowedGrowth) process.exit(1)
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
