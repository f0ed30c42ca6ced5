/** A mistake that somebody could make: one change of one file, which a checker has to notice. */
export interface Mutant {
  readonly name: string
  /** What it is about; `coordination` mutants are also given to the plan checker and the simulation. */
  readonly concern: string
  readonly kind: 'coordination' | 'foundation'
  /** Below `packages/`. */
  readonly file: string
  readonly change: Change
  /** The unit tests of its area, below `packages/`, or below the repository where they begin with `test/`. */
  readonly tests: readonly string[]
}

/** A text that occurs in the file exactly once and what takes its place, or the path of a unified diff. */
type Change = { readonly before: string; readonly after: string } | { readonly diff: string }

type Replacement = readonly [name: string, before: string, after: string]

/** The mutants of one file. */
export function mutantsOf(
  kind: Mutant['kind'],
  concern: string,
  file: string,
  tests: readonly string[],
  replacements: readonly Replacement[],
): Mutant[] {
  return replacements.map(([name, before, after]) => {
    return { name, concern, kind, file, change: { before, after }, tests }
  })
}
