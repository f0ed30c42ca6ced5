import { describe, expect, test } from 'vitest'
import { type JobConfiguration, jobDefaults } from '@elasticjob/core'

import { changesOf, differences, readAssignments, valueText } from '../../src/config/changes.ts'

const stored: JobConfiguration = {
  ...jobDefaults,
  jobName: 'sync-orders',
  shardingTotalCount: 3,
  props: { 'retry.times': '2', other: 'kept' },
}

describe('changes', () => {
  test.for<[assignment: string, changes: object]>([
    ['cron=0/5 * * * * ?', { cron: '0/5 * * * * ?' }],
    ['shardingTotalCount=6', { shardingTotalCount: 6 }],
    ['maxTimeDiffSeconds=-1', { maxTimeDiffSeconds: -1 }],
    ['failover=true', { failover: true }],
    ['misfire=false', { misfire: false }],
    ['shardingItemParameters=0=Berlin,1=Lima', { shardingItemParameters: '0=Berlin,1=Lima' }],
    ['description=', { description: '' }],
    ['jobListenerTypes=a, b', { jobListenerTypes: ['a', 'b'] }],
    ['jobListenerTypes=', { jobListenerTypes: [] }],
    ['props.retry.times=3', { props: { 'retry.times': '3', other: 'kept' } }],
    // Whoever checks it says that it is wrong, and what would be right.
    ['failover=maybe', { failover: 'maybe' }],
    ['shardingTotalCount=many', { shardingTotalCount: 'many' }],
    ['corn=x', { corn: 'x' }],
  ])('%s', ([assignment, changes]) => {
    expect(changesOf(readAssignments([assignment], []), stored)).toEqual(changes)
  })

  test('what is taken out', () => {
    expect(changesOf(readAssignments([], ['timeZone', 'props.retry.times']), stored)).toEqual({
      timeZone: undefined,
      props: { other: 'kept' },
    })
  })

  test.for([
    ['failover', 'write it as key=value'],
    ['=x', 'write it as key=value'],
    ['jobName=other', 'renamed'],
    ['props=x', 'props.<name>=<value>'],
    ['jobExtraConfigurations=x', 'config edit'],
  ] as const)('%s is refused', ([assignment, words]) => {
    expect(() => readAssignments([assignment], [])).toThrow(words)
  })
})

test('nothing is no change', () => {
  expect(() => readAssignments([], [])).toThrow('missing change')
})

test('differences are what is different, whatever the order of props', () => {
  const edited = { ...stored, failover: true, props: { other: 'kept', 'retry.times': '2' } }
  expect(differences(stored, edited)).toEqual({ failover: true })
  expect(differences(stored, stored)).toEqual({})
  expect(differences(stored, { ...stored, props: {} })).toEqual({ props: {} })
})

test.for([
  ['text', 'text'],
  [true, 'true'],
  [{ a: '1' }, '{"a":"1"}'],
  [undefined, '(none)'],
] as const)('%j in a table is %s', ([value, text]) => {
  expect(valueText(value)).toBe(text)
})
