import { posix } from 'node:path'

import type { ModuleFacts } from './read-module.ts'

/** The folders of a package, and which of them import which, by value or by type alone. */
export interface FolderGraph {
  readonly folders: ReadonlyMap<string, Folder>
}

interface Folder {
  /** The folders that it imports, each with one import as evidence. */
  readonly imports: ReadonlyMap<string, string>
}

/** `base` is the folder of the sources, such as `packages/core/src`. Files at its top count as one folder, `.`. */
export function folderGraph(
  modules: readonly ModuleFacts[],
  base: string,
  isLeftOut: (path: string) => boolean = () => false,
): FolderGraph {
  const folders = new Map<string, Folder & { imports: Map<string, string> }>()
  for (const { path, imports } of modules.filter((module) => !isLeftOut(module.path))) {
    const name = folderOf(path, base)
    const folder = folders.get(name) ?? { imports: new Map<string, string>() }
    folders.set(name, folder)
    for (const { specifier } of imports.filter((each) => each.specifier.startsWith('.'))) {
      const target = posix.join(posix.dirname(path), specifier)
      const to = folderOf(target, base)
      if (to !== name && !folder.imports.has(to)) {
        folder.imports.set(to, `${path} imports ${target}`)
      }
    }
  }
  return { folders }
}

function folderOf(path: string, base: string): string {
  const inside = posix.relative(base, path)
  return inside.includes('/') ? (inside.split('/', 1)[0] as string) : '.'
}

/** The sets of folders that import each other, directly or through others (Tarjan). */
export function cyclesOf({ folders }: FolderGraph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (name: string): void => {
    index.set(name, index.size)
    low.set(name, index.get(name) as number)
    stack.push(name)
    for (const next of folders.get(name)?.imports.keys() ?? []) {
      if (!folders.has(next)) continue
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) {
        low.set(name, Math.min(low.get(name) as number, low.get(next) as number))
      }
    }
    if (low.get(name) !== index.get(name)) return
    const cycle = stack.splice(stack.indexOf(name))
    if (cycle.length > 1) cycles.push(cycle.toSorted())
  }
  for (const name of folders.keys()) if (!index.has(name)) visit(name)
  return cycles
}

/** The folders in lines: each imports only from lines below its own. A cycle stands on one line. */
export function linesOf(graph: FolderGraph): string[][] {
  const cycle = new Map(cyclesOf(graph).flatMap((names) => names.map((name) => [name, names])))
  const heights = new Map<string, number>()
  const heightOf = (name: string): number => {
    const known = heights.get(name)
    if (known !== undefined) return known
    const together = cycle.get(name) ?? [name]
    const below = together.flatMap((one) =>
      [...(graph.folders.get(one)?.imports.keys() ?? [])].filter(
        (next) => graph.folders.has(next) && !together.includes(next),
      ),
    )
    const height = Math.max(-1, ...below.map(heightOf)) + 1
    for (const one of together) heights.set(one, height)
    return height
  }
  const lines: string[][] = []
  for (const name of [...graph.folders.keys()].toSorted()) {
    const height = heightOf(name)
    lines[height] = [...(lines[height] ?? []), name]
  }
  return lines.toReversed()
}

/** The imports that no other path of imports implies: enough to see who stands on whom. */
export function directImports({ folders }: FolderGraph): [string, string][] {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(folders.get(from)?.imports.keys() ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    )
  return [...folders].flatMap(([from, { imports }]) =>
    [...imports.keys()]
      .filter((to) => folders.has(to))
      .filter((to) => ![...imports.keys()].some((via) => via !== to && reaches(via, to)))
      .map((to): [string, string] => [from, to]),
  )
}
