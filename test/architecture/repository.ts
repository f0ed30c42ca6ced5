import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { PublicEntries } from './find-violations.ts'
import type { ModuleFacts } from './read-module.ts'
import { readModule } from './read-module.ts'

/** The part of a package.json that the rules are about. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, { readonly source: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

const notOurs = new Set(['node_modules', 'dist'])

/** The folders below `packages/`, each with its manifest. */
export function readManifests(): ReadonlyMap<string, Manifest> {
  const names = readdirSync(join(root, 'packages'))
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
      return [name, JSON.parse(text) as Manifest]
    }),
  )
}

export function publicEntriesOf(manifests: ReadonlyMap<string, Manifest>): PublicEntries {
  return new Map(
    [...manifests].map(([folder, { name, exports = {} }]) => [
      folder,
      new Set(Object.keys(exports).map((key) => posix.join(name, key))),
    ]),
  )
}

/** The sources of a package that its `exports` name: they import everything and no other source imports them. */
export function entryFilesOf(folder: string): ReadonlySet<string> {
  const { exports = {} } = readManifests().get(folder) ?? {}
  return new Set(Object.values(exports).map(({ source }) => posix.join('packages', folder, source)))
}

/** Every TypeScript module below the folder, which may be absent. */
export function readModules(folder: string): ModuleFacts[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : readModules(path)
    return entry.name.endsWith('.ts') ? [readModule(path, readText(path))] : []
  })
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
