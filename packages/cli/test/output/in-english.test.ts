import { expect, test } from 'vitest'

import { inEnglish } from '../../src/output/in-english.ts'

test('what is there for other languages is left out', () => {
  const parts = { text: 'job a is paused', code: 'job-paused', parameters: { jobName: 'a' } }
  const error = new Error('no')
  expect(inEnglish({ jobName: 'a', text: 'job a is paused', messageParts: parts, error })).toEqual({
    jobName: 'a',
    text: 'job a is paused',
    error,
  })
  expect(inEnglish({ problem: 'p', problemParts: parts, obstacleParts: parts })).toEqual({
    problem: 'p',
  })
})
