import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'

import { ConfigurationError, ElasticJobError, problem } from '../src/errors.ts'
import { message } from '../src/message.ts'

const parts = message('value-mismatch', { expected: message('kind-text'), actual: 5 })

describe('what is said in an error', () => {
  it('is its message, and has parts for other languages', () => {
    const error = new ElasticJobError('JOB_CONFLICT', parts)
    expect(error.message).toBe('it must be a text, not 5')
    expect(error.messageParts).toBe(parts)
    expect(problem('label', parts)).toEqual({
      key: 'label',
      message: 'it must be a text, not 5',
    })
    expect(problem('label', parts).messageParts).toBe(parts)
  })

  it('may be English alone', () => {
    expect(new ElasticJobError('JOB_CONFLICT', 'no').messageParts).toBeUndefined()
  })

  it('is printed once', () => {
    const printed = inspect(new ConfigurationError('the job', [problem('label', parts)]))
    expect(printed).toContain("message: 'it must be a text, not 5'")
    expect(printed).not.toContain('said')
    expect(inspect(new ElasticJobError('JOB_CONFLICT', parts))).not.toContain('said')
  })
})
