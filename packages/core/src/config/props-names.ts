/** Settings of this library in a job's `props`, told from those of others. */
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { catchUpKey, limitProps } from './run-limits.ts'
import { monitoringKeys } from './monitoring.ts'
import { closest, suggesting } from './suggest.ts'

const ofRuns: readonly string[] = [...Object.values(limitProps).map(({ key }) => key), catchUpKey]
const known: readonly string[] = [...ofRuns, ...monitoringKeys]
/** No job type and no error handler has settings that start like these. */
const prefixes: ReadonlySet<string> = new Set(ofRuns.map(prefixOf))
/** So many wrong letters are a slip; more are another name. */
const fewLetters = 2

/**
 * A setting that starts like one of ours and is none, or that almost is one, is misspelt: it would be stored and
 * never take effect. Any other belongs to a job type, an error handler or the user.
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
