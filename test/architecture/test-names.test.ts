import { expect, test } from 'vitest'

import { testNamesOf } from './test-names.ts'

const namesOf = (source: string): readonly string[] => testNamesOf('some.test.ts', source)

test('a test goes by its title, and by those of what it stands in', () => {
  const source = `
    describe('a door', () => {
      describe.for([1, 2])('with %i keys', () => {
        it('opens', () => {})
      })
      test('closes', async () => {})
    })
    it.each<[string]>([['a']])('%s is a letter', () => {})
    it.skipIf(process.platform === 'win32')('listens', () => {})
  `
  expect(namesOf(source)).toEqual([
    'a door › with %i keys › opens',
    'a door › closes',
    '%s is a letter',
    'listens',
  ])
})

test('what is skipped for good is no test, nor is what a comment or another call says', () => {
  const source = `
    it.skip('one', () => {})
    it.todo('two')
    describe.skip('three', () => it('four', () => {}))
    // it('five', () => {})
    note('six')
    it('seven', () => note('eight'))
  `
  expect(namesOf(source)).toEqual(['seven'])
})

test('a module that does not parse is an error', () => {
  expect(() => namesOf('it(')).toThrow('some.test.ts does not parse')
})
