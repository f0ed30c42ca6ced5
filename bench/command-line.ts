import { parseArgs } from 'node:util'
import { canPin } from './measure/cores.ts'

/** What a benchmark is told. */
export interface BenchOptions {
  /** Little work, for a look at whether all runs; the figures mean nothing. */
  readonly quick: boolean
  /** Whether client and server have a core each for themselves. */
  readonly pinned: boolean
  /** Measures only the points whose name contains one of these; all of them when there is none. */
  readonly only: readonly string[]
  /** How large what is measured is to be, where that differs from what is usual. */
  readonly sizes: Sizes
}

/** Only the console is measured in other sizes than its own. */
interface Sizes {
  readonly jobs?: number
  readonly deadServers?: number
  readonly pages?: number
}

export interface CommandLine {
  readonly names: readonly string[]
  readonly help: boolean
  readonly json: string | undefined
  readonly picture: string | undefined
  readonly options: BenchOptions
}

/** Throws on what it does not know. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'string' },
      picture: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      unpinned: { type: 'boolean', default: false },
      jobs: { type: 'string' },
      'dead-servers': { type: 'string' },
      pages: { type: 'string' },
    },
  })
  return {
    names: positionals,
    help: values.help,
    json: values.json,
    picture: values.picture,
    options: {
      quick: values.quick,
      pinned: canPin && !values.unpinned,
      only: values.only,
      sizes: {
        ...sizeOf('jobs', values.jobs, 1),
        ...sizeOf('deadServers', values['dead-servers'], 0),
        ...sizeOf('pages', values.pages, 1),
      },
    },
  }
}

function sizeOf(name: keyof Sizes, text: string | undefined, least: number): Sizes {
  if (text === undefined) return {}
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return { [name]: value }
  throw new Error(`"${text}" is no number of ${name === 'deadServers' ? 'dead servers' : name}.`)
}

/** Whether a point of this name is to be measured. */
export function isChosen(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((text) => name.includes(text))
}

export function helpText(benches: Readonly<Record<string, string>>): string {
  const lines = Object.entries(benches).map(([name, what]) => `  ${name.padEnd(12)} ${what}`)
  return `Usage: npm run bench -- <name> [options]
       npm run bench -- merge FILE... [options]

${lines.join('\n')}
  ${'merge'.padEnd(12)} makes one report of the JSON of parts that were measured with --only

  --json FILE     writes the report as JSON, too, the figures of every round in it
  --picture FILE  draws the ratios as SVG, too
  --only TEXT     only the points whose name contains the text, such as "multi"; may be given several times
  --quick         little work, to see that all runs; the figures mean nothing
  --jobs N, --dead-servers N, --pages N
                  of console: how many jobs of ten shards, servers without an instance, open pages
  --unpinned      leaves the cores to the scheduler instead of giving client and server one each
  --help          this text

The table goes to stdout, progress to stderr. Use a quiet machine: what else runs is measured, too.
`
}
