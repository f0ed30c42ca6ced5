/**
 * `npm run mutate`: puts one mistake after the other into copies of the repository and tells which checkers find
 * it. A run that is cut off goes on where it was; `--help` lists the options.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { type Checker, checkers, checkersFor, finds } from './checkers.ts'
import { mutantsIn } from './diffs.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'
import { filesOf, Scratch } from './scratch.ts'
import { isShort, summaryOf } from './summary.ts'
import { hashOf, lastSurvivors, type Verdict, Verdicts } from './verdicts.ts'

const help = `npm run mutate -- [options]

  --only <text>       mutants whose name, concern or file contains the text
  --sample <n>        every n-th mutant
  --survivors         mutants that survived when they were last tried
  --diffs <folder>    the unified diffs of a folder instead of the list (test/mutants)
  --checkers <names>  some of ${checkers.join()} (default: all)
  --every             run every checker, also after one has found the mutant
  --states <n>        clusters for each scenario of the plan checker (default: 500)
  --seeds <n>         seeds of the simulation (default: 20)
  --jobs <n>          mutants at once, each in a copy of the repository (default: 1)
  --fresh             try again what is known for the code as it is
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1' },
    survivors: { type: 'boolean', default: false },
    diffs: { type: 'string' },
    checkers: { type: 'string', default: checkers.join() },
    every: { type: 'boolean', default: false },
    states: { type: 'string', default: '500' },
    seeds: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const asked = checkers.filter((checker) => values.checkers.split(',').includes(checker))

/** All that decides whether a checker finds a mutant. */
function contextOf(): string {
  const files = filesOf('packages/*/src', 'packages/*/test', 'test')
  const texts = files.map((path) => `${path} ${readFileSync(path, 'utf8')}`)
  return hashOf([...texts, values.states, values.seeds, asked.join(), String(values.every)])
}

function chosen(): Mutant[] {
  const all = values.diffs === undefined ? mutants : mutantsIn(values.diffs)
  const survivors = values.survivors ? lastSurvivors() : undefined
  return all
    .filter(({ name, concern, file }) => `${concern} ${file} ${name}`.includes(values.only))
    .filter(({ name }) => survivors?.has(name) !== false)
    .filter((_, index) => index % Number(values.sample) === 0)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

class Run {
  readonly #settings = { states: Number(values.states), seeds: Number(values.seeds) }
  readonly #known = new Verdicts(contextOf())
  readonly #verdicts = new Map<Mutant, Verdict>()
  readonly #waiting: Mutant[]
  readonly #all: readonly Mutant[]
  #tried = 0
  readonly #begun = performance.now()

  constructor(all: readonly Mutant[]) {
    this.#all = all
    for (const mutant of all) {
      const verdict = values.fresh ? undefined : this.#known.get(mutant)
      if (verdict !== undefined) this.#verdicts.set(mutant, verdict)
    }
    this.#waiting = all.filter((mutant) => !this.#verdicts.has(mutant))
  }

  async do(): Promise<void> {
    for (const [mutant, verdict] of this.#verdicts) this.#tell(mutant, verdict, 'known')
    if (this.#waiting.length > 0) {
      const untouched = new Scratch()
      const copies = Array.from({ length: Number(values.jobs) }, () => new Scratch())
      try {
        const sound = this.#requireSound(untouched)
        await Promise.all([sound, ...copies.map((scratch) => this.#work(scratch, sound))])
      } finally {
        for (const scratch of [untouched, ...copies]) scratch.remove()
      }
    }
    print(summaryOf(this.#verdicts))
    const isWhole = asked.length === checkers.length && values.diffs === undefined
    if (isWhole && isShort(this.#verdicts)) process.exitCode = 1
  }

  /** Verdicts are kept once the checkers are known to be sound. */
  async #work(scratch: Scratch, sound: Promise<void>): Promise<void> {
    for (let mutant = this.#waiting.shift(); mutant; mutant = this.#waiting.shift()) {
      const begun = performance.now()
      const by = await this.#findersOf(mutant, scratch)
      const verdict = { by, seconds: Math.round((performance.now() - begun) / 1000) }
      this.#verdicts.set(mutant, verdict)
      void sound.then(
        () => this.#known.add(mutant, verdict),
        () => {},
      )
      this.#tried += 1
      this.#tell(mutant, verdict, `${verdict.seconds} s`)
    }
  }

  /** The checkers that find a mutant, in their order; the first alone unless all are asked. */
  #findersOf(mutant: Mutant, scratch: Scratch): Promise<Checker[]> {
    return scratch.with(mutant, async () => {
      const by: Checker[] = []
      for (const checker of checkersFor(mutant)) {
        if (!asked.includes(checker) || (by.length > 0 && !values.every)) continue
        const isFound = await finds(checker, mutant, { folder: scratch.folder, ...this.#settings })
        if (isFound) by.push(checker)
      }
      return by
    })
  }

  #tell({ concern, name }: Mutant, { by }: Verdict, how: string): void {
    const found = by.length === 0 ? 'SURVIVED' : by.join(' + ')
    print(`${found.padEnd(12)} ${concern.padEnd(15)} ${name} (${how}; ${this.#progress()})`)
  }

  #progress(): string {
    const done = `${this.#verdicts.size} of ${this.#all.length}`
    if (this.#tried === 0) return done
    const perMutant = (performance.now() - this.#begun) / this.#tried
    const left = (this.#all.length - this.#verdicts.size) * perMutant
    return `${done}, about ${Math.ceil(left / 60_000)} min left`
  }

  /** A checker that fails without any mutant would seem to find all of them. */
  async #requireSound({ folder }: Scratch): Promise<void> {
    const tests = [...new Set(this.#waiting.flatMap((mutant) => mutant.tests))]
    for (const checker of asked) {
      if (await finds(checker, { tests }, { folder, ...this.#settings })) {
        throw new Error(`${checker} fails without a mutant; nothing can be said about mutants`)
      }
    }
  }
}

if (values.help) print(help)
else await new Run(chosen()).do()
