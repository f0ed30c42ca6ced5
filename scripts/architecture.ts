/** Prints which folders of a package import which, from its sources, and draws it. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { drawFolders } from '../test/architecture/draw-folders.ts'
import { cyclesOf, folderGraph, linesOf } from '../test/architecture/folder-graph.ts'
import { entryFilesOf, readModules } from '../test/architecture/repository.ts'

const help = `npm run architecture -- [--package core] [--svg FILE]

  Prints the folders of a package in lines, each importing only from lines below its own, and every cycle.
  --svg FILE  also draws them into a file; docs/images/architecture.svg is made so.`

const { values } = parseArgs({
  options: {
    package: { type: 'string', default: 'core' },
    svg: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(help)
} else {
  const base = `packages/${values.package}/src`
  const entries = entryFilesOf(values.package)
  const graph = folderGraph(readModules(base), base, (path) => entries.has(path))
  if (graph.folders.size === 0) throw new Error(`${base} has no TypeScript files`)
  for (const line of linesOf(graph)) console.log(line.join('  '))
  const cycles = cyclesOf(graph)
  for (const cycle of cycles) {
    console.log(`\nThese folders import each other: ${cycle.join(', ')}`)
    for (const name of cycle) {
      for (const [to, evidence] of graph.folders.get(name)?.imports ?? []) {
        if (cycle.includes(to)) console.log(`  ${name} -> ${to}: ${evidence}`)
      }
    }
  }
  if (values.svg !== undefined) {
    writeFileSync(values.svg, drawFolders(graph, `The folders of @elasticjob/${values.package}`))
    console.log(`\n${values.svg} written`)
  }
  if (cycles.length > 0) process.exitCode = 1
}
