import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { mutantsIn } from './diffs.ts'
import { type Mutant, mutantsOf } from './mutant.ts'
import { isShort, summaryOf } from './summary.ts'
import type { Verdict } from './verdicts.ts'

const some = mutantsOf(
  'coordination',
  'claims',
  'core/src/execution/plan.ts',
  [],
  [
    ['first', 'a', 'b'],
    ['second', 'a', 'c'],
  ],
)

function verdicts(...by: readonly Verdict['by'][]): Map<Mutant, Verdict> {
  return new Map(by.map((one, index) => [some[index] as Mutant, { by: one, seconds: 30 }]))
}

describe('the summary', () => {
  it('counts each mutant for the first checker that finds it, and names survivors', () => {
    const lines = summaryOf(verdicts(['plans', 'unit'], [])).split('\n')
    const cells = lines.map((line) => line.trim().split(/ +/))
    expect(cells).toContainEqual(['claims', '2', '1', '0', '0', '1'])
    expect(lines).toContain('survived: core/src/execution/plan.ts: second')
    expect(lines.at(-1)).toContain('50 % of all mutants found, 50 % of those of coordination')
  })

  it('is short below 95 % of all, or half of coordination by plans or simulation', () => {
    expect(isShort(verdicts(['plans'], ['unit']))).toBe(false)
    expect(isShort(verdicts(['unit'], ['unit']))).toBe(true)
    expect(isShort(verdicts(['plans'], []))).toBe(true)
  })
})

describe('mutants as diffs', () => {
  it('are tried with the tests of the folder that they change', () => {
    const folder = mkdtempSync(join(tmpdir(), 'diffs-'))
    const head = (path: string): string =>
      `--- a/packages/${path}\n+++ b/packages/${path}\n@@ -1 +1 @@\n`
    writeFileSync(join(folder, 'one.diff'), head('core/src/execution/plan.ts'))
    writeFileSync(join(folder, 'two.patch'), head('zookeeper/src/client.ts'))
    writeFileSync(join(folder, 'notes.md'), '')
    const [one, two, ...others] = mutantsIn(folder)
    rmSync(folder, { recursive: true })
    expect(one).toMatchObject({
      name: 'one.diff',
      kind: 'coordination',
      tests: ['core/test/execution'],
    })
    expect(two).toMatchObject({ kind: 'foundation', file: 'zookeeper/src/client.ts' })
    expect(two?.tests).toContain('test/zookeeper/conformance')
    expect(others).toEqual([])
  })
})
