import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseName, isValidPath, parentPath } from '../../src/tree/path.ts'

describe('isValidPath', () => {
  it.each(['/', '/a', '/a/b', '/a.b', '/..a', '/a..', '/...', '/a b', '/é', '/\u{a0}', '/豆'])(
    'takes %j',
    (path) => {
      expect(isValidPath(path)).toBe(true)
    },
  )

  it.each([
    '',
    'a',
    'a/b',
    '//',
    '/a/',
    '/a//b',
    '//a',
    '/.',
    '/..',
    '/a/.',
    '/a/..',
    '/./a',
    '/../a',
    '/a/./b',
    '/a/../b',
    '/\0',
    '/\u0001',
    '/\u001f',
    '/\u007f',
    '/\u009f',
    '/\ud83d\ude00',
    '/\uf8ff',
    '/\ufff0',
    '/\uffff',
  ])('refuses %j', (path) => {
    expect(isValidPath(path)).toBe(false)
  })
})

describe('parentPath and baseName', () => {
  it('split a path', () => {
    expect([parentPath('/a/b'), baseName('/a/b')]).toEqual(['/a', 'b'])
    expect([parentPath('/a'), baseName('/a')]).toEqual(['', 'a'])
  })

  it('joined give the path again', () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes('/'))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1 }), (parts) => {
        const path = `/${parts.join('/')}`
        expect(`${parentPath(path)}/${baseName(path)}`).toBe(path)
      }),
    )
  })
})
