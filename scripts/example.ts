/**
 * `npm run example -- simple` runs one of the examples, without a name it lists them.
 * `npm run examples` runs all of them, one after the other, and prints the output of failed ones only.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../examples/', import.meta.url)
/** Each example has its own, shorter limit; this one is for an example that blocks its event loop. */
const limit = 90_000

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))

const [name] = process.argv.slice(2)
if (name === undefined) list()
else if (name === '--all') await runAll()
else if (names.includes(name)) process.exitCode = (await run(name, 'inherit')).code
else {
  console.error(`There is no example "${name}".\n`)
  list()
  process.exitCode = 1
}

function list(): void {
  console.log('npm run example -- <name>, with one of these names:\n')
  const width = Math.max(...names.map(({ length }) => length))
  for (const each of names) {
    console.log(`  ${each.padEnd(width)}  ${summaryOf(each)}`)
  }
}

/** The first line of the comment that every example begins with. */
function summaryOf(example: string): string {
  const source = readFileSync(new URL(`${example}.ts`, folder), 'utf8')
  return /^\/\*\*\n \* (.*)$/m.exec(source)?.[1] ?? ''
}

async function runAll(): Promise<void> {
  let failed = 0
  for (const each of names) {
    const { code, output } = await run(each, 'pipe')
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${each}`)
    if (code === 0) continue
    failed += 1
    console.log(`${output.trimEnd()}\n(exit code ${code})`)
  }
  console.log(`${names.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}

function run(
  example: string,
  stdio: 'inherit' | 'pipe',
): Promise<{ code: number; output: string }> {
  const program = fileURLToPath(new URL(`${example}.ts`, folder))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', program], {
      stdio: ['ignore', stdio, stdio],
      timeout: limit,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}
