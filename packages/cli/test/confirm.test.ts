import { describe, expect, test } from 'vitest'

import { confirmed } from '../src/confirm.ts'
import { FakeTerminal } from './support/fake-terminal.ts'

const parts = 'Job sync-orders will be deleted.'

test('--yes asks nothing', async () => {
  const terminal = new FakeTerminal({ isInteractive: true })
  await confirmed(terminal, parts, { yes: true })
  expect(terminal.noted).toBe('')
})

test('where nobody could answer it is refused, and says how to go on', async () => {
  await expect(confirmed(new FakeTerminal(), parts, {})).rejects.toMatchObject({
    code: 'CLI_NOT_CONFIRMED',
    message: expect.stringMatching(/Job sync-orders will be deleted[^]*--yes/) as string,
  })
})

describe('a person is asked', () => {
  test.for(['y', 'Y', 'yes', ' yes '])('%j goes on', async (answer) => {
    const terminal = new FakeTerminal({ isInteractive: true })
    const asked = confirmed(terminal, parts, {})
    terminal.stdin.write(`${answer}\n`)
    await asked
    expect(terminal.noted).toContain(`${parts}\nContinue? [y/N] `)
  })

  test.for(['', 'n', 'no', 'yesterday', 'j'])('%j does not', async (answer) => {
    const terminal = new FakeTerminal({ isInteractive: true })
    const asked = confirmed(terminal, parts, {})
    terminal.stdin.write(`${answer}\n`)
    await expect(asked).rejects.toMatchObject({ code: 'CLI_NOT_CONFIRMED' })
  })

  test('nor does the end of the input', async () => {
    const terminal = new FakeTerminal({ isInteractive: true })
    const asked = confirmed(terminal, parts, {})
    terminal.stdin.end()
    await expect(asked).rejects.toMatchObject({ code: 'CLI_NOT_CONFIRMED' })
  })
})
