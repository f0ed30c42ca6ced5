import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'

import { ConfigurationError, ElasticJobError, problem } from '../src/errors.ts'
import { say } from '../src/sentence.ts'

const sentence = say`it must be ${say`a text`}, not ${5}`

describe('what is said in an error', () => {
  it('is its message, and has parts for other languages', () => {
    const error = new ElasticJobError('JOB_CONFLICT', sentence)
    expect(error.message).toBe('it must be a text, not 5')
    expect(error.said).toBe(sentence)
    expect(problem('label', sentence)).toEqual({
      key: 'label',
      message: 'it must be a text, not 5',
    })
    expect(problem('label', sentence).said).toBe(sentence)
  })

  it('may be English alone', () => {
    expect(new ElasticJobError('JOB_CONFLICT', 'no').said).toBeUndefined()
  })

  it('is printed once', () => {
    const printed = inspect(new ConfigurationError('the job', [problem('label', sentence)]))
    expect(printed).toContain("message: 'it must be a text, not 5'")
    expect(printed).not.toContain('said')
    expect(inspect(new ElasticJobError('JOB_CONFLICT', sentence))).not.toContain('said')
  })
})
