import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { mutants } from './mutants.ts'

const repository = join(import.meta.dirname, '../..')

describe('the mutants', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    'apply to the code as it is: %s',
    (_, { file, change, tests }) => {
      if ('diff' in change) throw new Error('a mutant of the list is no diff')
      const text = readFileSync(join(repository, 'packages', file), 'utf8')
      expect(text.split(change.before)).toHaveLength(2)
      expect(change.after).not.toBe(change.before)
      const missing = tests.filter((path) => {
        const folder = path.startsWith('test/') ? repository : join(repository, 'packages')
        return !existsSync(join(folder, path))
      })
      expect(missing).toEqual([])
    },
  )

  it('have names of their own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
  })
})
