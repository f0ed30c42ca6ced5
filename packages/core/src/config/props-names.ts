/** Distinguishes the settings of this library in a job's `props` from other settings. */
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { catchUpKey, limitProps } from './run-limits.ts'
import { monitoringKeys } from './monitoring.ts'
import { closest, suggesting } from './suggest.ts'

const ofRuns: readonly string[] = [...Object.values(limitProps).map(({ key }) => key), catchUpKey]
const known: readonly string[] = [...ofRuns, ...monitoringKeys]
/** No job type and no error handler has settings with these prefixes. */
const prefixes: ReadonlySet<string> = new Set(ofRuns.map(prefixOf))
/** Up to this many wrong letters are a typo; with more it is a different name. */
const fewLetters = 2

/**
 * An unknown setting with a prefix of this library, or with a name close to one of its settings, is misspelled: it
 * would be stored and never take effect. Any other setting belongs to a job type, an error handler or the user.
 */
export function problemsOfNames(names: readonly string[]): readonly Problem[] {
  return names
    .filter((name) => !known.includes(name))
    .filter(
      (name) => prefixes.has(prefixOf(name)) || closest(name, known, fewLetters) !== undefined,
    )
    .map((name) => problem(`props.${name}`, suggesting(message('setting-unknown'), name, known)))
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf('.') + 1)
}
