/** What earlier runs found out, so that a run that was cut off goes on where it was. */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Checker } from './checkers.ts'
import type { Mutant } from './mutant.ts'

export interface Verdict {
  readonly by: readonly Checker[]
  /** How long it took, in seconds. */
  readonly seconds: number
}

interface Entry extends Verdict {
  readonly key: string
  readonly name: string
}

const path = join(import.meta.dirname, '../../node_modules/.cache/mutants/verdicts.jsonl')

export class Verdicts {
  readonly #known = new Map<string, Entry>()
  readonly #context: string

  /** `context`: all that a verdict depends on beside its mutant. */
  constructor(context: string) {
    this.#context = context
    for (const { name, key, by, seconds } of entries()) {
      this.#known.set(key, { name, key, by, seconds })
    }
  }

  get(mutant: Mutant): Verdict | undefined {
    return this.#known.get(this.#keyOf(mutant))
  }

  add(mutant: Mutant, verdict: Verdict): void {
    const entry = { key: this.#keyOf(mutant), name: mutant.name, ...verdict }
    this.#known.set(entry.key, entry)
    mkdirSync(dirname(path), { recursive: true })
    appendFileSync(path, `${JSON.stringify(entry)}\n`)
  }

  #keyOf({ name, file, change, tests }: Mutant): string {
    return hashOf([this.#context, name, file, textOf(change), tests.join()])
  }
}

/** The names of the mutants that survived when they were last tried, whatever the code was then. */
export function lastSurvivors(): Set<string> {
  const last = new Map(entries().map(({ name, by }) => [name, by.length === 0] as const))
  return new Set([...last].filter(([, survived]) => survived).map(([name]) => name))
}

export function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length} ${text}`)
  return hash.digest('hex').slice(0, 16)
}

function textOf(change: Mutant['change']): string {
  return 'diff' in change ? readFileSync(change.diff, 'utf8') : JSON.stringify(change)
}

/** A line that was cut off with the run that wrote it says nothing. */
function entries(): Entry[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Entry)
}
