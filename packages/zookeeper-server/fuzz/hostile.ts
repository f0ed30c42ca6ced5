import { parseArgs } from 'node:util'

import { runHostile } from './hostile/hostile-run.ts'

const help = `Attacks the embedded server with malformed, truncated, oversized and out-of-order frames and half-open
handshakes, while good clients continue to work.

  npm run fuzz:hostile -- [--frames 1000000] [--seed 1]

Fails if a good client fails, or if sessions or memory are left behind.`

const allowedGrowth = 4 * 1024 * 1024

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
const frames = Number(values.frames)
const seed = Number(values.seed)

if (values.help) {
  console.log(help)
} else if (!(frames > 0) || !Number.isInteger(seed)) {
  console.error(`--frames must be a positive number and --seed an integer\n\n${help}`)
  process.exitCode = 2
} else {
  let shown = 0
  const run = await runHostile({
    frames,
    seed,
    progress: (sent) => {
      if (sent - shown < frames / 10) return
      shown = sent
      process.stderr.write(`${sent} of ${frames} frames\n`)
    },
  })
  console.log(
    `${run.frames} hostile frames over ${run.connections} connections, seed ${seed}: ` +
      `good clients completed ${run.operations} operations and received ${run.events} events, ${run.failures.length} failures; ` +
      `${run.sessionsLeft} sessions left; ` +
      `memory ${mebibytes(run.memoryEarly)} MiB after a twentieth, ${mebibytes(run.memoryLate)} MiB at the end`,
  )
  for (const failure of run.failures.slice(0, 5)) console.error(failure)
  const grown = run.memoryLate - run.memoryEarly
  if (run.failures.length > 0 || run.sessionsLeft > 0 || grown > allowedGrowth) process.exitCode = 1
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
