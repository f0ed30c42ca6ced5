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

const hostile = 'a\u001B[2J\u001B]0;x\u0007\u009B31m\u202Eb\u2066c\u{E0001}d\r'

test('lines and notes keep our own colours and neutralise whatever else would steer a screen', () => {
  const terminal = new FakeTerminal({ isScreen: true, hasColors: true })
  const output = new Output(terminal)
  output.line(`${output.style.bad('bad')} ${hostile}`)
  output.note(hostile)
  const steering = /[^\P{Cc}\n]|\p{Cf}/gu
  const listed = terminal.shown + terminal.noted
  expect(listed.replaceAll('\u001B[31m', '').replaceAll('\u001B[39m', '')).not.toMatch(steering)
  expect(terminal.shown.startsWith('\u001B[31mbad\u001B[39m a')).toBe(true)
})

test('JSON escapes what would steer a screen, and means the same', () => {
  const text = jsonText({ hostile })
  expect(text).not.toMatch(/\p{Cc}|\p{Cf}/u)
  expect(JSON.parse(text)).toEqual({ hostile })
})
