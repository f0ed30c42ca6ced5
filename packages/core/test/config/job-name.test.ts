import { validatePath } from '@elasticjob/zookeeper'
import fc from 'fast-check'
import { expect, it } from 'vitest'

import { problemOfJobName } from '../../src/config/job-name.ts'

it.each(['sync-orders', '作业', 'a b', 'x.y', '...', 'a@b', '@-', 'ＡＢ'])(
  '%s is a name',
  (name) => {
    expect(problemOfJobName(name)).toBeUndefined()
  },
)

it.each([
  ['', 'empty'],
  ['.', 'cannot be the name of a node'],
  ['..', 'cannot be the name of a node'],
  ['a/b', 'it contains "/"'],
  ['a@-@b', 'it contains "@-@"'],
  ['a\nb', 'U+000A'],
  ['a\u0085', 'U+0085'],
  ['😀', 'U+D83D'],
  ['\ufffe', 'U+FFFE'],
])('%j is none', (name, message) => {
  expect(problemOfJobName(name)?.text).toContain(message)
})

it('whatever is a name can be the name of a node', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      fc.pre(problemOfJobName(name) === undefined)
      expect(() => validatePath(`/${name}`)).not.toThrow()
    }),
    { numRuns: 300 },
  )
})
