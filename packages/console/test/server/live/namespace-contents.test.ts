import { expect, it } from 'vitest'

import { liveMessages } from '../../../src/contract/live.ts'
import { NamespaceContents } from '../../../src/server/live/namespace-contents.ts'
import { jobEntry } from '../../ui/support/examples.ts'

function textsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(jobEntry({ jobName: `job-${index}` })),
  )
}

function messagesOf(everything: NamespaceContents): ReturnType<typeof liveMessages.jobs.parse>[] {
  return Array.from({ length: everything.pieceCount }, (_, index) =>
    liveMessages.jobs.parse(JSON.parse(Buffer.from(everything.piece(index)).toString())),
  )
}

it.each([0, 1, 100, 101, 1100, 1101, 2345])('%i entries arrive each once, in order', (count) => {
  const messages = messagesOf(new NamespaceContents(textsOf(count), 'e.7'))
  const names = messages.flatMap(({ changed }) => changed.map(({ jobName }) => jobName))
  expect(names).toEqual(Array.from({ length: count }, (_, index) => `job-${index}`))
  expect(messages.map(({ reset }) => reset)).toEqual(messages.map((_, index) => index === 0))
})

it('every piece says how many are left, and only the last what to go on from', () => {
  const messages = messagesOf(new NamespaceContents(textsOf(2345), 'e.7'))
  expect(messages.map(({ left }) => left)).toEqual([2245, 1245, 245, 0])
  expect(messages.map(({ revision }) => revision)).toEqual(['', '', '', 'e.7'])
})

it('a piece is made once for all, until nobody begins with it any more', () => {
  const everything = new NamespaceContents(textsOf(5), 'e.7')
  const piece = everything.piece(0)
  expect(everything.piece(0)).toBe(piece)
  everything.retire()
  expect(everything.piece(0)).not.toBe(piece)
  expect(everything.piece(0)).not.toBe(everything.piece(0))
  expect(everything.piece(0)).toEqual(piece)
})
