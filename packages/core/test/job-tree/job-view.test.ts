import { describe, expect, it } from 'vitest'

import { isJavaInstance, serverOf } from '../../src/job-tree/instance-id.ts'
import {
  availableInstances,
  descending,
  isDead,
  isMixed,
  isServerEnabled,
} from '../../src/job-tree/job-view.ts'
import { java, type Situation, viewOf, x, y, z } from '../tree.ts'

describe('isMixed', () => {
  it.each<[string, Situation]>([
    ['an instance', { instances: [x, java] }],
    ['the leader', { instances: [x], leader: java }],
    ['an owner', { instances: [x], owners: [java] }],
    ['a run', { instances: [x], owners: [x], marks: { 0: { running: java } } }],
    ['a taker', { instances: [x], owners: [x], marks: { 0: { failover: java } } }],
    ['a former taker', { instances: [x], owners: [x], marks: { 0: { failovering: java } } }],
  ])('is a job while %s is one of Java', (_, situation) => {
    expect(isMixed(viewOf(situation))).toBe(true)
  })

  it('is no job of ours alone', () => {
    const situation: Situation = {
      instances: [x, y],
      leader: x,
      owners: [x, y],
      marks: { 0: { running: x, failover: y, failovering: y } },
    }
    expect(isMixed(viewOf(situation))).toBe(false)
    expect(isMixed(viewOf({}))).toBe(false)
  })
})

describe('isJavaInstance', () => {
  it('is an id that ends in a process id alone', () => {
    expect(isJavaInstance('10.0.0.1@-@4711')).toBe(true)
    for (const id of [x, '10.0.0.1@-@4711-a1234567', '10.0.0.1@-@', '10.0.0.1', '']) {
      expect(isJavaInstance(id)).toBe(false)
    }
  })
})

describe('serverOf', () => {
  it('is the whole address', () => {
    expect(serverOf('10.0.0.12@-@1-a')).toBe('10.0.0.12')
    expect(serverOf('10.0.0.1@-@2')).toBe('10.0.0.1')
    expect(serverOf('10.0.0.1')).toBe('10.0.0.1')
  })
})

describe('isServerEnabled', () => {
  it('is a server unless somebody has disabled it; absent is enabled', () => {
    const view = viewOf({ servers: { a: 'ENABLED', b: 'DISABLED', c: '' } })
    const answers = ['a', 'b', 'c', 'd'].map((ip) => isServerEnabled(view, ip))
    expect(answers).toEqual([true, false, true, true])
  })

  it('10.0.0.1 is not disabled because 10.0.0.12 is', () => {
    expect(isServerEnabled(viewOf({ servers: { '10.0.0.12': 'DISABLED' } }), '10.0.0.1')).toBe(true)
  })
})

describe('availableInstances', () => {
  it('are those on enabled servers, in descending order as Java has them', () => {
    const view = viewOf({ instances: [x, z, y], servers: { '10.0.0.2': 'DISABLED' } })
    expect(availableInstances(view)).toEqual([z, x])
  })

  it('are not those that are leaving', () => {
    expect(availableInstances(viewOf({ instances: [x], leaving: [y] }))).toEqual([x])
  })

  it('are compared as strings: 10.0.0.9 before 10.0.0.10', () => {
    const nine = '10.0.0.9@-@1-a'
    const ten = '10.0.0.10@-@1-a'
    expect([ten, nine].toSorted(descending)).toEqual([nine, ten])
    expect(descending(ten, ten)).toBe(0)
  })
})

describe('an instance of Java that is away', () => {
  it.each([false, true])('is dead only when it has been away for long enough: %s', (isFinal) => {
    const absent = { [java]: { since: 1, isFinal } }
    const view = viewOf({ instances: [x], absent })
    expect(isDead(view, java)).toBe(isFinal)
    expect(availableInstances(view)).toEqual(isFinal ? [x] : [java, x])
    expect(isMixed(view)).toBe(!isFinal)
  })
})

describe('isDead', () => {
  it('is an instance that has neither its node nor its session', () => {
    const view = viewOf({ instances: [x], leaving: [y] })
    expect([x, y, z].map((instance) => isDead(view, instance))).toEqual([false, false, true])
  })
})
