import { expect, test } from 'vitest'

import { history, run, seen, shardState } from './hand-made.ts'
import { offsetViolations } from './offsets.ts'

const saved = seen([500, { '/sim/job/offset/0': '3' }])
const claim = shardState(2, 999)

test('a run that starts with the saved offset breaks no rule', () => {
  const runs = [run({ offset: '3' })]
  expect(offsetViolations(history({ ...saved, runs, states: [claim] }))).toEqual([])
})

test('a takeover that starts without the saved offset is found', () => {
  const taken = shardState(2, 999, { attempt: 2 })
  const found = offsetViolations(
    history({ ...saved, runs: [run({ attempt: 2 })], states: [taken] }),
  )
  expect(found.map(({ text }) => text)).toEqual([expect.stringMatching(/undefined, and 3 was/)])
})

test('an offset that was saved after the claim is not the one to start with', () => {
  const later = seen([500, {}], [600, {}], [1500, { '/sim/job/offset/0': '1' }])
  expect(offsetViolations(history({ ...later, runs: [run()], states: [claim] }))).toEqual([])
})

test('an offset that goes back is found, unless the registry has lost it', () => {
  const back = seen([500, { '/sim/job/offset/0': '3' }], [900, { '/sim/job/offset/0': '2' }])
  expect(offsetViolations(history({ ...back, runs: [] }))).toMatchObject([
    { rule: '6', text: 'the offset of job/0 goes back from 3 to 2' },
  ])
  const losses = [{ at: 900, time: 900, kind: 'restored' as const }]
  expect(offsetViolations(history({ ...back, runs: [], losses }))).toEqual([])
})
