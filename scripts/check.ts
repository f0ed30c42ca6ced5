/** `npm run check`: all that can be known without running the code. Quiet about what passes. */
import { spawn } from 'node:child_process'
import { cpus } from 'node:os'

interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

/** The longest first, so that the last one to start is a short one. */
const steps: readonly Step[] = [
  { name: 'types', command: ['tsc', '-b', '--pretty'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'unused', command: ['knip', '--no-progress'] },
  { name: 'architecture', command: ['vitest', 'run', '--project', 'architecture'] },
  { name: 'format', command: ['oxfmt', '--check'] },
]

const failed: string[] = []
const waiting = [...steps]
await Promise.all(Array.from({ length: Math.min(2, cpus().length) }, worker))
console.log(`${steps.length - failed.length} passed, ${failed.length} failed`)
if (failed.length > 0) process.exitCode = 1

async function worker(): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) await run(step)
}

async function run({ name, command }: Step): Promise<void> {
  const started = performance.now()
  const { code, output } = await execute(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.padStart(5)} s`)
  if (code === 0) return
  failed.push(name)
  console.log(output.trimEnd())
}

function execute([file, ...args]: Step['command']): Promise<{
  code: number | null
  output: string
}> {
  return new Promise((resolve, reject) => {
    // npm puts node_modules/.bin on the PATH of the scripts it runs.
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code, output: Buffer.concat(chunks).toString() })
    })
  })
}
