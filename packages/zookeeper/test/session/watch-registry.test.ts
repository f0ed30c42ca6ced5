import { beforeEach, describe, expect, it } from 'vitest'

import { WatchRegistry } from '../../src/session/watch-registry.ts'

describe('WatchRegistry', () => {
  let registry: WatchRegistry
  let heard: string[]

  beforeEach(() => {
    registry = new WatchRegistry()
    heard = []
  })

  const listener =
    (name: string) =>
    ({ type, path }: { type: string; path: string }): void => {
      heard.push(`${name}: ${type} ${path}`)
    }

  const fire = (type: 'created' | 'deleted' | 'dataChanged' | 'childrenChanged', path: string) => {
    for (const { listener: tell, event } of registry.take({ type, path })) tell(event)
  }

  it('tells a one-shot listener once', () => {
    registry.addOneShot('data', '/a', listener('data'))
    fire('dataChanged', '/a')
    fire('dataChanged', '/a')
    expect(heard).toEqual(['data: dataChanged /a'])
    expect(registry.size).toBe(0)
  })

  it('tells a deletion to those who watch data and those who watch children', () => {
    registry.addOneShot('data', '/a', listener('data'))
    registry.addOneShot('child', '/a', listener('child'))
    fire('deleted', '/a')
    expect(heard).toEqual(['data: deleted /a', 'child: deleted /a'])
  })

  it('does not tell a change of data to those who watch children', () => {
    registry.addOneShot('child', '/a', listener('child'))
    fire('dataChanged', '/a')
    expect(heard).toEqual([])
  })

  it('tells a recursive listener of everything below, and of nothing beside', () => {
    registry.addLasting('recursive', '/a', listener('all'))
    fire('created', '/a/b/c')
    fire('dataChanged', '/a')
    fire('deleted', '/ab')
    expect(heard).toEqual(['all: created /a/b/c', 'all: dataChanged /a'])
  })

  it('watches everything from the root', () => {
    registry.addLasting('recursive', '/', listener('all'))
    fire('created', '/x/y')
    expect(heard).toEqual(['all: created /x/y'])
  })

  it('derives the change of children that a recursive watch does not report', () => {
    registry.addLasting('recursive', '/a', listener('all'))
    registry.addLasting('persistent', '/a', listener('node'))
    registry.addOneShot('child', '/a', listener('child'))
    fire('created', '/a/b')
    fire('deleted', '/a/b')
    fire('created', '/a/b/c')
    expect(heard).toEqual([
      'all: created /a/b',
      'child: childrenChanged /a',
      'node: childrenChanged /a',
      'all: deleted /a/b',
      'node: childrenChanged /a',
      'all: created /a/b/c',
    ])
  })

  it('does not derive it where the server reports it', () => {
    registry.addLasting('recursive', '/', listener('all'))
    registry.addOneShot('child', '/a', listener('child'))
    fire('created', '/a/b')
    expect(heard).toEqual(['all: created /a/b'])
  })

  it('says which paths a lasting watch covers, and in which mode', () => {
    registry.addLasting('persistent', '/a', listener('one'))
    expect(registry.lastingMode('/a')).toBe('persistent')
    registry.addLasting('recursive', '/a', listener('two'))
    expect(registry.lastingMode('/a')).toBe('recursive')
    expect(registry.isCovered('/a/b')).toBe(false)
    expect(registry.dropLasting('/a')).toBe(true)
    expect(registry.isCovered('/a')).toBe(false)
  })

  it('keeps a listener that is added while another is told', () => {
    registry.addOneShot('data', '/a', () => registry.addOneShot('data', '/a', listener('again')))
    fire('dataChanged', '/a')
    fire('dataChanged', '/a')
    expect(heard).toEqual(['again: dataChanged /a'])
  })
})
