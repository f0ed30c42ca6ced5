import { posix } from 'node:path'

import { describe, expect, test } from 'vitest'

import { drawFolders } from './draw-folders.ts'
import { findViolations } from './find-violations.ts'
import { cyclesOf, folderGraph } from './folder-graph.ts'
import {
  entryFilesOf,
  publicEntriesOf,
  readManifests,
  readModules,
  readText,
} from './repository.ts'
import {
  coreLines,
  fuzzHarness,
  gateRules,
  insideOfCore,
  layerRules,
  minimumModules,
  moduleFolders,
  ownTestFolders,
  packageDirection,
  testFolders,
} from './rules.ts'

const manifests = readManifests()
const modules = moduleFolders.flatMap((folder) => readModules(folder))

test('modules are seen at all', () => {
  expect(modules.length).toBeGreaterThanOrEqual(minimumModules)
  for (const name of manifests.keys()) {
    const sources = modules.filter(({ path }) => path.startsWith(`packages/${name}/src/`))
    expect(sources.length, `modules in packages/${name}/src`).toBeGreaterThan(0)
  }
})

test('every package is in the table, and no other', () => {
  expect(Object.keys(packageDirection).toSorted()).toEqual([...manifests.keys()].toSorted())
})

test('every rule is about a folder or a file that exists', () => {
  const paths = modules.map(({ path }) => path)
  const rules = [...layerRules, ...gateRules]
  const layers = rules.map((rule) => `packages/${rule.package}/src/${rule.layer}`)
  expect(layers.filter((layer) => !paths.some((path) => path.startsWith(layer)))).toEqual([])
  expect(testFolders.filter((folder) => !paths.some((path) => folder.test(path)))).toEqual([])
  const folders = [...ownTestFolders, ...Object.keys(insideOfCore), fuzzHarness]
  expect(folders.filter((folder) => !paths.some((path) => path.startsWith(folder)))).toEqual([])
})

test('the tests of a folder of src are in the folder of the same name of test', () => {
  const folderOf = ({ path }: { readonly path: string }): string => posix.dirname(path)
  const sources = new Set(modules.map(folderOf))
  const hasSources = (folder: string): boolean =>
    sources.has(folder.replace(/^(packages\/[^/]+)\/test/, '$1/src'))
  const tests = modules.filter(({ path }) => /^packages\/[^/]+\/test\/.*\.test\.ts$/.test(path))
  const strays = new Set(tests.map(folderOf).filter((folder) => !hasSources(folder)))
  expect([...strays].toSorted()).toEqual(ownTestFolders)
})

test.for([...manifests])('%s is named after its folder and depends in its direction', (entry) => {
  const [folder, manifest] = entry
  expect(manifest.name).toBe(`@elasticjob/${folder}`)
  const siblings = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
    (name) => name.startsWith('@elasticjob/'),
  )
  const allowed = packageDirection[folder]?.map((name) => `@elasticjob/${name}`)
  expect(allowed).toEqual(expect.arrayContaining(siblings))
})

test('all packages carry one version, of themselves and of each other', () => {
  const versions = [...manifests.values()].flatMap(({ version, dependencies = {} }) => [
    version,
    ...Object.keys(dependencies)
      .filter((name) => name.startsWith('@elasticjob/'))
      .map((name) => dependencies[name]),
  ])
  expect([...new Set(versions)]).toHaveLength(1)
})

test('no module breaks a rule', () => {
  expect(findViolations(modules, publicEntriesOf(manifests))).toEqual([])
})

describe('the folders of core', () => {
  const base = 'packages/core/src'
  const entries = entryFilesOf('core')
  const graph = folderGraph(
    modules.filter(({ path }) => path.startsWith(`${base}/`)),
    base,
    (path) => entries.has(path),
  )

  test('each have their line', () => {
    const folders = [...graph.folders.keys()].filter((name) => name !== '.')
    expect(coreLines.flat().toSorted()).toEqual(folders.map((name) => `${name}/`).toSorted())
  })

  test('have no cycles, of types neither', () => {
    expect(cyclesOf(graph)).toEqual([])
  })

  test('are drawn as they are: npm run architecture -- --svg docs/images/architecture.svg', () => {
    expect(readText('docs/images/architecture.svg')).toBe(
      drawFolders(graph, 'The folders of @elasticjob/core'),
    )
  })
})
