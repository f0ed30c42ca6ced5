/** The options of `npm run simulate`. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

import { type Bug, bugs } from './bugs.ts'

export interface RunOptions {
  readonly seeds: number
  readonly from: number
  readonly jobs: number
  readonly shrink: boolean
  readonly first: boolean
  /** Whether the table that guides the scenarios is made anew. */
  readonly learn: boolean
  /** A mistake that is put into the product. */
  readonly bug: Bug | undefined
}

export const help = `npm run simulate -- [options]

Simulates one cluster for each seed and checks its history against the invariants.
A failing seed is shrunk and printed with its timeline; the exit code is then 1.

  --seeds <n>   how many seeds to simulate (default 100)
  --from <n>    the first seed (default 1)
  --jobs <n>    how many processes to use (default: the number of cores, here ${availableParallelism()})
  --first       stop at the first seed that fails
  --no-shrink   print failing seeds in one line each, without a timeline
  --learn       write which faults met which situations to coverage-levels.ts, which guides the scenarios:
                what was rare becomes more frequent, and each seed then gives another scenario
  --bug <text>  put the seeded bug into the product whose name contains this text (see bugs.ts)
  --help        print this text
`

/** Thrown for an option that cannot be understood: what is wrong, and what would be right. */
export class RunOptionError extends Error {}

/** What the arguments ask for; undefined for the help text. */
export function runOptionsOf(args: readonly string[]): RunOptions | undefined {
  const values = valuesOf(args)
  if (values.help) return undefined
  return {
    seeds: integer('--seeds', values.seeds, 1),
    from: integer('--from', values.from, 0),
    jobs: integer('--jobs', values.jobs ?? String(availableParallelism()), 1),
    shrink: !values['no-shrink'],
    first: values.first,
    learn: values.learn,
    bug: values.bug === undefined ? undefined : bugNamed(values.bug),
  }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string', default: '100' },
        from: { type: 'string', default: '1' },
        jobs: { type: 'string' },
        first: { type: 'boolean', default: false },
        learn: { type: 'boolean', default: false },
        bug: { type: 'string' },
        'no-shrink': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    }).values
  } catch (error) {
    const { message } = error as Error
    throw new RunOptionError(`${message}\nRun with --help for all options.`)
  }
}

function bugNamed(text: string): Bug {
  const found = bugs.filter(({ name }) => name.includes(text))
  const [bug] = found
  if (bug !== undefined && found.length === 1) return bug
  const names = (found.length === 0 ? bugs : found).map(({ name }) => `\n  ${name}`).join('')
  throw new RunOptionError(`--bug: '${text}' must be part of exactly one name of:${names}`)
}

function integer(name: string, text: string, least: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  throw new RunOptionError(`${name}: '${text}' is not valid; it must be an integer ≥ ${least}`)
}
