/** Whether tests that a page names are there. */
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'

import type { LinkedTest } from './feature-table.ts'
import { readText, root } from './repository.ts'
import { testNamesOf } from './test-names.ts'

export function problemsOfTest({ name, path }: LinkedTest): readonly string[] {
  const file = posix.join('docs', path)
  if (!existsSync(join(root, file))) return [`there is no ${file}`]
  return testsIn(file).has(name) ? [] : [`${file} has no test "${name}"`]
}

const known = new Map<string, ReadonlySet<string>>()

/** The names of the tests in a file; read once, for many rows link to the same. */
function testsIn(file: string): ReadonlySet<string> {
  const names = known.get(file) ?? new Set(testNamesOf(file, readText(file)))
  known.set(file, names)
  return names
}
