import {
  ancestorsOf,
  childOf,
  isWithin,
  nameOf,
  parentOf,
  validatePath,
} from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

describe('validatePath', () => {
  it.each(['/', '/a', '/a/b', '/a.b', '/...', '/.a', '/a..', '/任务', '/a b', '/é'])(
    'accepts %j',
    (path) => {
      expect(() => validatePath(path)).not.toThrow()
    },
  )

  it.each([
    ['', 'begin with "/"'],
    ['a', 'begin with "/"'],
    ['/a/', 'end with "/"'],
    ['//', 'position 1 is empty'],
    ['/a//b', 'position 3 is empty'],
    ['/.', '"." is not allowed'],
    ['/a/..', '".." is not allowed'],
    ['/a/./b', '"." is not allowed'],
    ['/a\u0000', 'U+0000 at position 2'],
    ['/\u001F', 'U+001F at position 1'],
    ['/\u007F', 'U+007F at position 1'],
    ['/\u009F', 'U+009F at position 1'],
    ['/\uD83D\uDE00', 'U+D83D at position 1'],
    ['/\uF8FF', 'U+F8FF at position 1'],
    ['/\uFFF0', 'U+FFF0 at position 1'],
  ])('refuses %j and says where', (path, reason) => {
    expect(() => validatePath(path)).toThrow(expect.objectContaining({ code: 'ZK_INVALID_PATH' }))
    expect(() => validatePath(path)).toThrow(reason)
  })

  it('accepts a trailing slash only for a sequential node', () => {
    expect(() => validatePath('/a/', true)).not.toThrow()
    expect(() => validatePath('/a//', true)).toThrow('is empty')
  })

  it('rejects a value that is not a string', () => {
    expect(() => validatePath(undefined as unknown as string)).toThrow('it must be a string')
  })
})

describe('path helpers', () => {
  it('return parent, name and ancestors', () => {
    expect([parentOf('/a/b'), parentOf('/a'), parentOf('/')]).toEqual(['/a', '/', '/'])
    expect([nameOf('/a/b'), nameOf('/a')]).toEqual(['b', 'a'])
    expect([childOf('/', 'a'), childOf('/a', 'b')]).toEqual(['/a', '/a/b'])
    expect(ancestorsOf('/a/b/c')).toEqual(['/a', '/a/b'])
  })

  it('isWithin decides whether a path is in a subtree', () => {
    expect(isWithin('/a/b', '/a')).toBe(true)
    expect(isWithin('/a', '/a')).toBe(true)
    expect(isWithin('/ab', '/a')).toBe(false)
    expect(isWithin('/ab', '/')).toBe(true)
  })
})
