import { describe, expect, it } from 'vitest'

import { readJob } from '../../../src/config/read-job.ts'
import { changeEntry, removeEntry } from '../../../src/config/snake-yaml/change-entry.ts'

/** A configuration of Java's, with a parameter as Java has written it. */
function config(parameter: string): string {
  return `jobName: j\njobParameter: ${parameter}maxTimeDiffSeconds: 7\nprops:\n  k: v\nshardingTotalCount: 1\n`
}

function read(text: string): { jobParameter: string; maxTimeDiffSeconds: number } {
  return readJob(text, '/shop/j/config').configuration
}

/** What Java 3.0.4 writes for a text, and what it reads again from that. */
const written: readonly (readonly [string, string])[] = [
  ['|-\n  x\u2028  y\n', 'x\u2028y'],
  ['|-\n  x\u2029  y\n', 'x\u2029y'],
  ['|2+\n\u2028', '\u2028'],
  ['|\n  x\u2028', 'x\u2028'],
  ['|2-\n\u2028  x\n', '\u2028x'],
  ['|-\n  x\n\u2028  y\n', 'x\n\u2028y'],
  ['|-\n  l1\n  l2\u2028  l3\n', 'l1\nl2\u2028l3'],
  ['|-\n  x\u2028\u2028  y: z #\n', 'x\u2028\u2028y: z #'],
  ['|2+\n\u2028\n', '\u2028\n'],
  ['"x \\L y"\n', 'x \u2028 y'],
  // Java itself loses this one.
  ['|-\n  x\u0085  y\n', 'x\ny'],
  ['|\n  x\u0085', 'x\n'],
  ['|-\n  x\u0085\n\u0085  y\u2028  z\n', 'x\n\n\ny\u2028z'],
]

describe("Unicode's own line breaks", () => {
  it.each(written)('%j is read as Java reads it', (parameter, text) => {
    expect(read(config(parameter))).toMatchObject({ jobParameter: text, maxTimeDiffSeconds: 7 })
  })

  it.each(written)('%j outlives a change of another key', (parameter, text) => {
    const changed = changeEntry(config(parameter), 'maxTimeDiffSeconds', 8)
    expect(read(changed)).toMatchObject({ jobParameter: text, maxTimeDiffSeconds: 8 })
    const added = changeEntry(changed, 'label', 'night')
    expect(read(added)).toMatchObject({ jobParameter: text, label: 'night' })
    expect(read(removeEntry(added, 'label'))).toMatchObject({ jobParameter: text })
  })

  it.each(written)('%j is replaced as a whole', (parameter) => {
    const changed = changeEntry(config(parameter), 'jobParameter', 'new')
    expect(changed).toBe(config('new\n'))
  })
})
