import { systemClock } from '@elasticjob/core/internal'
import { beforeEach, expect, it } from 'vitest'

import { Refusals } from '../../../src/server/audit/refusals.ts'
import { openDatabase } from '../../../src/server/store/database.ts'

let now = 0
let refusals: Refusals
const refusal = { action: 'login', code: 'CONSOLE_UNAUTHENTICATED', username: 'root' }

beforeEach(() => {
  now = 1_200_000
  refusals = new Refusals(openDatabase(':memory:'), { ...systemClock, now: () => now })
})

it('counts the refusals of an address within ten minutes', () => {
  refusals.count({ ...refusal, address: 'a' })
  now += 599_999
  refusals.count({ ...refusal, address: 'a' })
  now += 1
  refusals.count({ ...refusal, address: 'a' })
  expect(refusals.list()).toMatchObject([
    { began: 1_800_000, count: 1, address: 'a' },
    { began: 1_200_000, last: 1_799_999, count: 2, address: 'a' },
  ])
})

it('counts together what comes from more addresses than it keeps', () => {
  for (let index = 0; index < 300; index += 1) {
    refusals.count({ ...refusal, address: `10.0.${index}.1` })
  }
  const rows = refusals.list(500)
  expect(rows).toHaveLength(201)
  expect(rows.find(({ address }) => address === 'others')).toMatchObject({ count: 100 })
})

it('keeps a bounded number of rows over all times', () => {
  for (let interval = 0; interval < 60; interval += 1) {
    for (let index = 0; index < 200; index += 1) {
      refusals.count({ ...refusal, address: `10.0.${index}.1` })
    }
    now += 600_000
  }
  refusals.count({ ...refusal, address: 'a' })
  expect(refusals.list(20_000)).toHaveLength(10_001)
})
