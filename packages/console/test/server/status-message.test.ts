import { expect, it } from 'vitest'

import { statusMessage } from '../../src/server/status-message.ts'

it.each([
  "Job 'a' b' execute begin.",
  'Instance 10.0.0.1@-@7 is gone.',
  "Sharding item for job 'a' is empty.",
  "Previous job 'a' - shardingItems '[0, 1]' is still running, misfired job will start after previous job completed.",
])('%s is known with its parts, and reads as it is stored', (text) => {
  const messageParts = statusMessage(text)
  expect(messageParts?.text).toBe(text)
  expect(Object.keys(messageParts?.parameters ?? {}).length).toBeGreaterThan(0)
})

it('what a job has thrown is nobody’s sentence', () => {
  expect(statusMessage('{1=Error: the bank does not answer}')).toBeUndefined()
  expect(statusMessage('')).toBeUndefined()
})
