import { expect, it } from 'vitest'

import { maskedLogger } from '../src/logger.ts'

it('maskedLogger passes lines of every level on without secrets', () => {
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const logger = maskedLogger({ debug: note, info: note, warn: note, error: note })
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    logger[level](`${level}: connect mysql://me:planted@db/x failed`)
  }
  expect(lines).toEqual(
    ['debug', 'info', 'warn', 'error'].map(
      (level) => `${level}: connect mysql://******@db/x failed`,
    ),
  )
})
