import { expect, test } from 'vitest'

import { jsonText, Output } from '../../src/output/output.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'

test('JSON has the message of an error, and times as ISO 8601', () => {
  const error = Object.assign(new Error('no'), { code: 'JOB_CONFLICT' })
  expect(JSON.parse(jsonText({ error, at: new Date(0) }))).toEqual({
    error: { code: 'JOB_CONFLICT', message: 'no' },
    at: '1970-01-01T00:00:00.000Z',
  })
})

test("somebody else's text is to the letter for a program, and harmless on a screen", () => {
  const text = 'a\u001B[2J\nb\n\n'
  const program = new FakeTerminal()
  new Output(program).text(text)
  expect(program.shown).toBe('a\u001B[2J\nb\n')
  const screen = new FakeTerminal({ isScreen: true })
  new Output(screen).text(text)
  expect(screen.shown).toBe('a\\u001b[2J\nb\n')
})

test('properties stand below each other', () => {
  const terminal = new FakeTerminal()
  new Output(terminal).properties([
    ['Job', 'sync-orders'],
    ['Description', ''],
  ])
  expect(terminal.shown).toBe('Job          sync-orders\nDescription\n')
})
