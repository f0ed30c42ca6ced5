import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Difference, describeDifference, kindOf } from './lockstep/difference.ts'
import { Lockstep, type Tally } from './lockstep/lockstep.ts'
import { generate } from './operations/generate.ts'
import type { FuzzOperation } from './operations/operation.ts'
import { Replays } from './replays.ts'
import { realServerAvailable } from './servers/real.ts'
import { shrink } from './shrink.ts'

const help = `Runs the same random operations on a real ZooKeeper and on the embedded server, and compares
everything that they send: answers, errors, stats, zxids, events, closed connections.

  npm run fuzz:server -- [--ops 100000] [--seed 1]
  npm run fuzz:server -- --replay FILE

The first difference is shrunk to the necessary operations, printed, and written to a file that can be
replayed. Needs a real ZooKeeper: \`npm run setup:zookeeper\`.`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ops: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      replay: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    return
  }
  if (!realServerAvailable()) {
    missing()
    return
  }
  if (values.replay !== undefined) return replay(values.replay)
  return fuzz(wholeNumber('--ops', values.ops), wholeNumber('--seed', values.seed))
}

async function fuzz(count: number, seed: number): Promise<void> {
  const started = performance.now()
  const operations = generate(count, seed)
  const servers = await Lockstep.start()
  let told = started
  const difference = await servers.run(operations, (done) => {
    if (performance.now() - told < 10_000) return
    told = performance.now()
    process.stderr.write(`${done} of ${count} operations\n`)
  })
  await servers.stop()
  if (difference !== undefined) await explain(operations, difference, seed)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const outcome = difference === undefined ? 'no difference' : 'a difference'
  console.log(`${summary(servers.tally)}: ${outcome} (seed ${seed}, ${seconds} s)`)
  if (difference !== undefined) process.exitCode = 1
}

function summary({ operations, sessions, answers, events }: Tally): string {
  const count = [...answers.values()].reduce((sum, each) => sum + each, 0)
  return (
    `${operations} operations of ${sessions} sessions, ${count} answers of ${answers.size} kinds ` +
    `and ${events} events compared`
  )
}

async function replay(file: string): Promise<void> {
  const operations = JSON.parse(await readFile(file, 'utf8')) as FuzzOperation[]
  await using replays = new Replays()
  const difference = await replays.run(operations)
  if (difference === undefined) {
    console.log(`${operations.length} operations, no difference`)
    return
  }
  console.log(describeDifference(difference))
  process.exitCode = 1
}

async function explain(
  operations: readonly FuzzOperation[],
  difference: Difference,
  seed: number,
): Promise<void> {
  console.log(describeDifference(difference))
  await using replays = new Replays()
  const shrunk = await shrunkTo(operations.slice(0, difference.index + 1), replays, difference)
  if (shrunk === undefined) {
    console.log('\nA replay of the same operations did not show the difference.')
    return
  }
  const file = join(tmpdir(), `elasticjob-fuzz-server-${seed}.json`)
  await writeFile(file, `[\n${shrunk.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`)
  console.log(`\n${shrunk.length} operations show it:`)
  for (const each of shrunk) console.log(`  ${JSON.stringify(each)}`)
  const again = await replays.run(shrunk)
  console.log(again === undefined ? 'not every time' : describeDifference(again))
  console.log(`\nnpm run fuzz:server -- --replay ${file}`)
}

/** The operations before the last reset are rarely needed: tries without them first. */
async function shrunkTo(
  operations: readonly FuzzOperation[],
  replays: Replays,
  difference: Difference,
): Promise<readonly FuzzOperation[] | undefined> {
  const kind = kindOf(difference)
  const shows = async (some: readonly FuzzOperation[]): Promise<boolean> => {
    const found = await replays.run(some)
    return found !== undefined && kindOf(found) === kind
  }
  const begin = operations.findLastIndex((each) => each.do === 'reset')
  const recent = operations.slice(begin + 1)
  for (const enough of [recent, operations]) {
    if (!(await shows(enough))) continue
    process.stderr.write(`shrinking ${enough.length} operations\n`)
    return shrink(enough, shows)
  }
  return undefined
}

/** In CI a run without a server would look like a run without differences. */
function missing(): void {
  console.error('No real ZooKeeper is installed to compare with: run `npm run setup:zookeeper`')
  if (process.env['CI'] === 'true') process.exitCode = 1
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  console.error(`${name} must be an integer, not ${text}\n\n${help}`)
  process.exit(2)
}

await main()
