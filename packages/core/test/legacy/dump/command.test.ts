import { describe, expect, it } from 'vitest'

import { readCommand } from '../../../src/legacy/dump/command.ts'

describe('at the port of a process', () => {
  it.each([
    ['dump@job', 'job'],
    [' dump@job \r', 'job'],
    ['dump@a@b', 'a@b'],
    ['dump@a b', 'a b'],
  ])('%j asks for %j', (line, jobName) => {
    expect(readCommand(line, undefined, undefined)).toEqual({ jobName })
  })

  it.each(['', 'dump', 'dump@', 'help', 'Dump@job', 'dump@a/b', 'dump@..', 'GET / HTTP/1.1'])(
    '%j is no command',
    (line) => {
      expect(readCommand(line, undefined, undefined)).toBeUndefined()
    },
  )
})

describe('at the port of a job', () => {
  it.each(['dump', 'DUMP', ' dump '])('%j asks for it', (line) => {
    expect(readCommand(line, undefined, 'job')).toEqual({ jobName: 'job' })
  })

  it.each(['', 'dump@other', 'dumps'])('%j is no command', (line) => {
    expect(readCommand(line, undefined, 'job')).toBeUndefined()
  })
})

describe('with a token', () => {
  it('takes a command behind it', () => {
    expect(readCommand('s3cret-s3cret dump@job', 's3cret-s3cret', undefined)).toEqual({
      jobName: 'job',
    })
    expect(readCommand('s3cret-s3cret  dump', 's3cret-s3cret', 'job')).toEqual({ jobName: 'job' })
  })

  it.each(['dump@job', 's3cret dump@job', 's3cret-s3cret-x dump@job', '', ' '])(
    'refuses %j',
    (line) => {
      expect(readCommand(line, 's3cret-s3cret', undefined)).toBe('refused')
    },
  )

  it('answers nothing to what is no command', () => {
    expect(readCommand('s3cret-s3cret help', 's3cret-s3cret', undefined)).toBeUndefined()
  })
})
