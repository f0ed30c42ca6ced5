import { describe, expect, it } from 'vitest'

import { isTriggerMark, readInstance, writeInstance } from '../../src/config/instance-yaml.ts'
import { goldenLines } from '../support/golden.ts'

const answers = goldenLines<{ id: string; ip: string; labels?: string }, { yaml: string }>(
  'config/instances.jsonl',
)

describe("an instance's node", () => {
  it.each(answers)('is written and read as Java does: $question', ({ question, answer }) => {
    const data = { jobInstanceId: question.id, labels: question.labels, serverIp: question.ip }
    expect(writeInstance(data)).toBe(answer.yaml)
    expect(readInstance(answer.yaml)).toEqual(data)
  })

  it.each([
    '',
    'TRIGGER',
    '[]',
    'jobInstanceId: a@-@1',
    'serverIp: a',
    '{',
    'jobInstanceId: [a]\nserverIp: b',
  ])('says nothing with %j', (text) => {
    expect(readInstance(text)).toBeUndefined()
  })

  it('may hold the trigger of 2.x', () => {
    expect(isTriggerMark('TRIGGER')).toBe(true)
    expect(isTriggerMark('')).toBe(false)
    expect(isTriggerMark(answers[0]?.answer.yaml ?? '')).toBe(false)
  })
})
