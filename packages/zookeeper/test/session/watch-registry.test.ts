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

  it('calls a one-shot listener once', () => {
    registry.addOneShot('data', '/a', listener('data'))
    fire('dataChanged', '/a')
    fire('dataChanged', '/a')
    expect(heard).toEqual(['data: dataChanged /a'])
    expect(registry.size).toBe(0)
  })

  it('reports a deletion to data and child watches', () => {
    registry.addOneShot('data', '/a', listener('data'))
    registry.addOneShot('child', '/a', listener('child'))
    fire('deleted', '/a')
    expect(heard).toEqual(['data: deleted /a', 'child: deleted /a'])
  })

  it('does not report a data change to child watches', () => {
    registry.addOneShot('child', '/a', listener('child'))
    fire('dataChanged', '/a')
    expect(heard).toEqual([])
  })

  it('reports everything below a recursive watch, and nothing beside it', () => {
    registry.addLasting('recursive', '/a', listener('all'))
    fire('created', '/a/b/c')
    fire('dataChanged', '/a')
    fire('deleted', '/ab')
    expect(heard).toEqual(['all: created /a/b/c', 'all: dataChanged /a'])
  })

  it('a recursive watch on the root covers everything', () => {
    registry.addLasting('recursive', '/', listener('all'))
    fire('created', '/x/y')
    expect(heard).toEqual(['all: created /x/y'])
  })

  it('derives the child change that a recursive watch does not report', () => {
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

  it('does not derive the child change where the server reports it', () => {
    registry.addLasting('recursive', '/', listener('all'))
    registry.addOneShot('child', '/a', listener('child'))
    fire('created', '/a/b')
    expect(heard).toEqual(['all: created /a/b'])
  })

  it('lastingMode returns which paths a persistent watch covers, and in which mode', () => {
    registry.addLasting('persistent', '/a', listener('one'))
    expect(registry.lastingMode('/a')).toBe('persistent')
    registry.addLasting('recursive', '/a', listener('two'))
    expect(registry.lastingMode('/a')).toBe('recursive')
    expect(registry.isCovered('/a/b')).toBe(false)
    expect(registry.dropLasting('/a')).toBe(true)
    expect(registry.isCovered('/a')).toBe(false)
  })

  it('keeps a listener that is added while another one is called', () => {
    registry.addOneShot('data', '/a', () => registry.addOneShot('data', '/a', listener('again')))
    fire('dataChanged', '/a')
    fire('dataChanged', '/a')
    expect(heard).toEqual(['again: dataChanged /a'])
  })
})
