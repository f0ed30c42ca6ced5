import { parseArgs } from 'node:util'
import { type FsyncMode, runRounds } from './rounds.ts'

const help = `Kills a server with a data directory repeatedly while clients write to it. Checks after each restart that
no acknowledged write is lost, that no write is invented, and that versions, sequence numbers, zxids and
sessions continue.

  npm run test:durability -- [--rounds 200] [--seed 1] [--fsync on|off|both]`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      fsync: { type: 'string', default: 'both' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    return
  }
  const rounds = wholeNumber('--rounds', values.rounds)
  const seed = wholeNumber('--seed', values.seed)
  for (const mode of modesOf(values.fsync)) await run(rounds, seed, mode)
}

async function run(rounds: number, seed: number, mode: FsyncMode): Promise<void> {
  const started = performance.now()
  const tally = await runRounds(rounds, seed, mode, (round) => {
    if (round % 20 === 0) process.stderr.write(`fsync ${mode}: round ${round} of ${rounds}\n`)
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    `fsync ${mode}: ${tally.rounds} rounds, ${tally.kills} kills, ${tally.acknowledged} acknowledged ` +
      `writes checked, ${tally.unanswered} of ${tally.lost} unanswered ones executed, ` +
      `${tally.snapshots} snapshots, ${tally.cuts} incomplete logs truncated, ` +
      `${tally.expirations} abandoned sessions kept and then expired: ` +
      `nothing lost, nothing invented (seed ${seed}, ${seconds} s)`,
  )
}

function modesOf(value: string): readonly FsyncMode[] {
  if (value === 'both') return ['on', 'off']
  if (value === 'on' || value === 'off') return [value]
  throw new Error(`--fsync must be on, off or both, not ${value}`)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new Error(`${name} must be an integer ≥ 1, not ${text}`)
}

await main()
