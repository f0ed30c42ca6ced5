import { expect, it } from 'vitest'
import { Expectations } from './expectations.ts'

const span = { job: 'job', shard: 0, from: 1000, period: 2000 }

it('gives what is still expected until the end', () => {
  const expectations = new Expectations()
  expectations.expect(span)
  expect(expectations.spans(9000)).toEqual([{ ...span, to: 9000 }])
})

it('suspends one shard, or all shards of a job', () => {
  const expectations = new Expectations()
  expectations.expect(span)
  expectations.expect({ ...span, shard: 1 })
  expectations.expect({ ...span, job: 'other' })
  expectations.suspend('job', 3000, 1)
  expectations.suspend('job', 5000)
  expect(expectations.spans(9000)).toEqual([
    { ...span, shard: 1, to: 3000 },
    { ...span, to: 5000 },
    { ...span, job: 'other', to: 9000 },
  ])
})
