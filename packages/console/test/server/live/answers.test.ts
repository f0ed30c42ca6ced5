import { expect, it, vi } from 'vitest'

import { type Answer, Answers } from '../../../src/server/live/answers.ts'
import { SteppingClock } from '../../support/stepping-clock.ts'

function making(): () => Promise<Answer> {
  return vi.fn<() => Promise<Answer>>(async () => ({
    body: new Uint8Array(),
    total: 0,
    revision: 'e.1',
  }))
}

it('who asks the same gets the same, also while it is being made', async () => {
  const answers = new Answers(new SteppingClock())
  const make = making()
  const [one, other] = await Promise.all([answers.of('a', make), answers.of('a', make)])
  expect(one).toBe(other)
  expect(make).toHaveBeenCalledTimes(1)
  await answers.of('b', make)
  expect(make).toHaveBeenCalledTimes(2)
})

it('is made anew when something has changed, and after a while', async () => {
  const clock = new SteppingClock()
  const answers = new Answers(clock)
  const make = making()
  await answers.of('a', make)
  answers.clear()
  await answers.of('a', make)
  expect(make).toHaveBeenCalledTimes(2)
  clock.advance(1000)
  await answers.of('a', make)
  expect(make).toHaveBeenCalledTimes(3)
})

it('keeps few, however many questions are asked', async () => {
  const answers = new Answers(new SteppingClock())
  const make = making()
  for (const question of ['a', 'b', 'c', 'd', 'e']) await answers.of(question, make)
  await answers.of('e', make)
  expect(make).toHaveBeenCalledTimes(5)
  await answers.of('a', make)
  expect(make).toHaveBeenCalledTimes(6)
})

it('what went wrong is tried again', async () => {
  const answers = new Answers(new SteppingClock())
  await expect(answers.of('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(answers.of('a', making())).resolves.toMatchObject({ revision: 'e.1' })
})
