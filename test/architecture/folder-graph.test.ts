import { describe, expect, it } from 'vitest'

import { cyclesOf, directImports, folderGraph, linesOf } from './folder-graph.ts'
import { readModule } from './read-module.ts'

const graphOf = (files: Readonly<Record<string, string>>): ReturnType<typeof folderGraph> =>
  folderGraph(
    Object.entries(files).map(([path, source]) => readModule(`src/${path}`, source)),
    'src',
  )

const layered = graphOf({
  'top/a.ts': `import { b } from '../middle/b.ts'\nimport type { C } from '../bottom/c.ts'`,
  'middle/b.ts': `import type { C } from '../bottom/c.ts'\nexport const b = 1`,
  'bottom/c.ts': `export interface C {}`,
  'errors.ts': 'export class Failure {}',
})

describe('the graph of folders', () => {
  it('has lines from top to bottom', () => {
    expect(linesOf(layered)).toEqual([['top'], ['middle'], ['.', 'bottom']])
    expect(cyclesOf(layered)).toEqual([])
  })

  it('leaves out imports that others imply', () => {
    expect(directImports(layered)).toEqual([
      ['top', 'middle'],
      ['middle', 'bottom'],
    ])
  })

  it('has cycles, by types alone and through others too', () => {
    const graph = graphOf({
      'a/a.ts': `import { b } from '../b/b.ts'`,
      'b/b.ts': `import { c } from '../c/c.ts'`,
      'c/c.ts': `import type { A } from '../a/a.ts'`,
      'd/d.ts': `import { a } from '../a/a.ts'`,
    })
    expect(cyclesOf(graph)).toEqual([['a', 'b', 'c']])
    expect(linesOf(graph)).toEqual([['d'], ['a', 'b', 'c']])
  })
})
