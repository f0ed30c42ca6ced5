import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { describe, expect, it } from 'vitest'

import {
  isJavaInstance,
  newInstanceId,
  parseInstanceId,
  serverOf,
} from '../../src/job-tree/instance-id.ts'

describe('newInstanceId', () => {
  it('has the address, the process and a token with a letter in it', () => {
    const random = new SeededRandom(1)
    for (let i = 0; i < 1000; i++) {
      expect(newInstanceId('10.0.0.1', 42, random)).toMatch(/^10\.0\.0\.1@-@42-[a-z][a-z0-9]{7}$/)
    }
  })

  it('is new every time, also where every process has the id 1', () => {
    const random = new SeededRandom(2)
    const ids = Array.from({ length: 10_000 }, () => newInstanceId('10.0.0.1', 1, random))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is never taken for one of Java', () => {
    expect(
      isJavaInstance(
        newInstanceId('10.0.0.1', 1, { fraction: () => 0.999, bytes: (n) => new Uint8Array(n) }),
      ),
    ).toBe(false)
  })
})

describe('parseInstanceId', () => {
  it.each([
    ['10.0.0.1@-@42', { ip: '10.0.0.1', suffix: '42' }],
    ['10.0.0.1@-@42-abcdefg1', { ip: '10.0.0.1', suffix: '42-abcdefg1' }],
    ['10.0.0.1', undefined],
    ['@-@42', undefined],
    ['10.0.0.1@-@', undefined],
    ['a@-@b@-@c', undefined],
    ['', undefined],
  ])('%s', (id, parts) => {
    expect(parseInstanceId(id)).toEqual(parts)
  })
})

it.each([
  ['10.0.0.1@-@42', true],
  ['10.0.0.1@-@42-abcdefg1', false],
  ['10.0.0.1@-@', false],
  ['10.0.0.1', false],
  ['a@-@1@-@2', false],
])('%s is an id of Java: %s', (id, is) => {
  expect(isJavaInstance(id)).toBe(is)
})

it('does not take 10.0.0.1 for 10.0.0.12', () => {
  expect(serverOf('10.0.0.12@-@1')).toBe('10.0.0.12')
  expect(serverOf('10.0.0.1@-@12-abcdefg1')).toBe('10.0.0.1')
  expect(serverOf('10.0.0.1')).toBe('10.0.0.1')
})
