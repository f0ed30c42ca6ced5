import { posix } from 'node:path'

import type { ImportFact, ModuleFacts } from './read-module.ts'
import type { LayerRule } from './rules.ts'
import {
  ambientRules,
  defaultExportAllowed,
  fileName,
  fuzzHarness,
  gateRules,
  insideOfCore,
  layerRules,
  maximumLines,
  packageDirection,
  pageTexts,
  planFile,
  serviceFile,
  testDirection,
  testFolders,
} from './rules.ts'

/** The specifiers by which a package may be imported: the keys of its `exports`. */
export type PublicEntries = ReadonlyMap<string, ReadonlySet<string>>

const scope = '@elasticjob/'

/** Each broken rule as one sentence that begins with the path of its module. */
export function findViolations(
  modules: readonly ModuleFacts[],
  publicEntries: PublicEntries,
): string[] {
  return modules.flatMap((module) =>
    [
      ...fileViolations(module),
      ...ambientViolations(module),
      ...module.imports.flatMap((each) => [
        ...packageViolations(module, each, publicEntries),
        ...layerViolations(module, each),
        ...planViolations(module, each),
      ]),
    ].map((sentence) => `${module.path} ${sentence}`),
  )
}

function* fileViolations(module: ModuleFacts): Generator<string> {
  const name = posix.basename(module.path)
  if (!fileName.test(name)) yield 'is not named in kebab-case'
  if (module.lines > maximumLines) yield `has ${module.lines} lines, more than ${maximumLines}`
  if (module.hasDefaultExport && !defaultExportAllowed.test(name)) yield 'has a default export'
  for (const syntax of module.notErasable) yield `declares ${syntax}`
  if (name.endsWith('.test.ts') && !testFolders.some((folder) => folder.test(module.path))) {
    yield 'is a test that no vitest project runs'
  }
}

function* ambientViolations(module: ModuleFacts): Generator<string> {
  if (!/^packages\/[^/]+\/src\//.test(module.path)) return
  for (const rule of ambientRules) {
    if (rule.allowedIn.test(posix.basename(module.path))) continue
    for (const name of rule.globals) {
      if (module.uses.has(name)) yield `uses ${name}, which has to be injected`
    }
    for (const each of module.imports.filter(({ typeOnly }) => !typeOnly)) {
      if (!(each.specifier in rule.modules)) continue
      const forbidden = rule.modules[each.specifier] ?? each.names
      for (const name of each.names.filter((imported) => forbidden.includes(imported))) {
        yield `imports ${name} from ${each.specifier}, which has to be injected`
      }
    }
  }
}

function* packageViolations(
  module: ModuleFacts,
  { specifier }: ImportFact,
  publicEntries: PublicEntries,
): Generator<string> {
  const from = packageOf(module.path)
  if (specifier.startsWith('.')) {
    const target = resolve(module, specifier)
    const to = packageOf(target)
    const isHarness =
      module.path.startsWith(`packages/${from}/fuzz/`) && target.startsWith(fuzzHarness)
    const isText = module.path.startsWith('test/browser/') && target.startsWith(pageTexts)
    const isInside = Object.entries(insideOfCore).some(
      ([tests, inside]) => module.path.startsWith(tests) && target.startsWith(inside),
    )
    if (to !== undefined && to !== from && !isText && !isInside)
      yield `reaches into ${to} by a relative path: ${specifier}`
    if (to === undefined && from !== undefined && !isHarness)
      yield `leaves its package: ${specifier}`
    return
  }
  if (!specifier.startsWith(scope)) return

  const to = specifier.slice(scope.length).split('/')[0] ?? ''
  if (publicEntries.get(to)?.has(specifier) !== true) {
    yield `imports ${specifier}, which is no public entry of a package`
  } else if (from !== undefined && !mayKnow(module.path, from, to)) {
    yield `imports ${specifier}, but ${from} may not know ${to}`
  }
  for (const rule of gateRules) {
    const root = `packages/${rule.package}/src/`
    if (to !== rule.imports || !module.path.startsWith(root)) continue
    if (!module.path.startsWith(root + rule.layer))
      yield `imports ${specifier}, but ${rule.because}`
  }
}

/** Tests and fuzzers use their own package as its users do; its sources use each other by path. */
function mayKnow(path: string, from: string, to: string): boolean {
  if (from === to) return !path.startsWith(`packages/${from}/src/`)
  const mayUseInTests = !path.startsWith(`packages/${from}/src/`) && testDirection[from]
  return [...(packageDirection[from] ?? []), ...(mayUseInTests || [])].includes(to)
}

function* planViolations(module: ModuleFacts, fact: ImportFact): Generator<string> {
  if (fact.typeOnly || !planFile.test(posix.basename(module.path))) return
  if (serviceFile.test(posix.basename(fact.specifier))) {
    yield `imports ${fact.specifier}, but a plan is a pure decision`
  }
}

function* layerViolations(module: ModuleFacts, fact: ImportFact): Generator<string> {
  if (!fact.specifier.startsWith('.')) return
  const target = resolve(module, fact.specifier)
  for (const rule of layerRules) {
    const root = `packages/${rule.package}/src/`
    if (!module.path.startsWith(root + rule.layer) || !target.startsWith(root)) continue
    if (rule.typesAllowed === true && fact.typeOnly) continue
    if (isForbidden(rule, target.slice(root.length))) {
      yield `imports ${fact.specifier}, but ${rule.because}`
    }
  }
}

function isForbidden({ only, never }: LayerRule, target: string): boolean {
  const matches = (prefix: string): boolean => target.startsWith(prefix)
  return only?.some(matches) === false || never?.some(matches) === true
}

function resolve(module: ModuleFacts, specifier: string): string {
  return posix.join(posix.dirname(module.path), specifier)
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1]
}
