import { JuteReader, JuteWriter, readAcl } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'

describe('readAcl', () => {
  const entry = (scheme: string | null, id: string | null): JuteReader => {
    const writer = new JuteWriter()
    writer.int(31)
    writer.string(scheme)
    writer.string(id)
    return new JuteReader(writer.take())
  }

  it('accepts an entry of scheme auth without an id', () => {
    expect(readAcl(entry('auth', null))).toEqual({
      permissions: 31,
      id: { scheme: 'auth', id: '' },
    })
  })

  it.each([
    ['world', null],
    [null, 'anyone'],
  ])('wants scheme and id of every other: %s, %s', (scheme, id) => {
    expect(() => readAcl(entry(scheme, id))).toThrow('a string is missing')
  })
})
