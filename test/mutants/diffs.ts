/** Mutants that are kept as unified diffs in a folder, one in each file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

import type { Mutant } from './mutant.ts'

const packages = join(import.meta.dirname, '../../packages')

export function mutantsIn(folder: string): Mutant[] {
  return readdirSync(folder)
    .filter((name) => /\.(diff|patch)$/.test(name))
    .toSorted()
    .map((name) => mutantOf(resolve(folder, name)))
}

function mutantOf(diff: string): Mutant {
  const file = /^\+\+\+ (?:b\/)?packages\/(\S+)/m.exec(readFileSync(diff, 'utf8'))?.[1]
  if (file === undefined) throw new Error(`'${diff}' changes no file below packages/`)
  const [name = ''] = file.split('/')
  const area = dirname(file).replace('/src', '/test')
  const isClient = name === 'zookeeper'
  return {
    name: basename(diff),
    concern: name,
    kind: name === 'core' ? 'coordination' : 'foundation',
    file,
    change: { diff },
    tests: [
      existsSync(join(packages, area)) ? area : `${name}/test`,
      ...(isClient ? ['test/zookeeper/conformance'] : []),
    ],
  }
}
