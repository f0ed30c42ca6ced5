import { describe, expect, it } from 'vitest'
import { AclTable, openAcl } from '../../src/acl/acl-table.ts'

const list = (id: string) => [{ permissions: 31, id: { scheme: 'digest', id } }]

describe('AclTable', () => {
  it('stores equal lists once', () => {
    const table = new AclTable()
    const first = table.retain(list('a:b'))
    expect(table.retain(list('a:b'))).toBe(first)
    expect(table.retain(first)).toBe(first)
    expect(table.retain(list('a:c'))).not.toBe(first)
    expect(table.size).toBe(2)
  })

  it('drops a list after its last release', () => {
    const table = new AclTable()
    const kept = table.retain(list('a:b'))
    table.retain(kept)
    table.release(kept)
    expect(table.size).toBe(1)
    table.release(kept)
    expect(table.size).toBe(0)
  })

  it('recognizes the open list by its content', () => {
    const table = new AclTable()
    expect(table.retain([{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }])).toBe(openAcl)
    table.release(openAcl)
    expect(table.size).toBe(0)
  })
})
