import { ConfigurationError, ElasticJobError, type Problem, RegistryError } from '@elasticjob/core'
import { parseCron } from '@elasticjob/core/cron'
import { readStoredJob } from '@elasticjob/core/internal'
import { HistoryError } from '@elasticjob/tracing'
import { describe, expect, it } from 'vitest'

import { failure } from '../../src/contract/common.ts'
import { messageParts } from '../../src/contract/message.ts'
import { ConsoleError } from '../../src/errors.ts'
import { message } from '../../src/message.ts'
import { failedAnswer } from '../../src/server/http/failures.ts'
import { problemsOf, reasonOf, partsOf } from '../../src/server/message-fields.ts'

function answerTo(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return failure.parse(JSON.parse(JSON.stringify(failedAnswer(error).body))).error
  }
  throw new Error('it was done')
}

describe('a sentence', () => {
  const parts = message('shards-unowned', {
    shards: message('several-shards', { shards: '0', last: 2 }),
  })
  const sent = {
    code: 'shards-unowned',
    parameters: { shards: { code: 'several-shards', parameters: { shards: '0', last: 2 } } },
  }

  it('goes over the wire without its English', () => {
    expect(partsOf(parts)).toEqual(sent)
    expect(messageParts.parse(parts)).toEqual(sent)
  })

  it('is refused if it is none', () => {
    expect(messageParts.safeParse({ code: 'x' }).success).toBe(false)
    expect(messageParts.safeParse({ code: 'x', parameters: { a: { text: 'y' } } }).success).toBe(
      false,
    )
  })
})

describe('a reason', () => {
  it('has the code of its error, and its parts where it has them', () => {
    const lost = message('run-unknown', { run: 'a' })
    const parts = { code: 'run-unknown', parameters: { run: 'a' } }
    expect(reasonOf(new ConsoleError('CONSOLE_NOT_FOUND', lost))).toEqual({
      reason: 'the run "a" does not exist',
      messageParts: parts,
      code: 'CONSOLE_NOT_FOUND',
    })
    expect(reasonOf(new HistoryError('HISTORY_CLOSED', lost))).toMatchObject({
      messageParts: parts,
    })
    expect(reasonOf(new HistoryError('HISTORY_FAILED', 'SQLite: no'))).toEqual({
      reason: 'SQLite: no',
      code: 'HISTORY_FAILED',
    })
    expect(reasonOf(new RegistryError('REGISTRY_CONNECTION_LOSS', 'refused'))).toEqual({
      reason: 'refused',
      code: 'REGISTRY_CONNECTION_LOSS',
    })
  })

  it('is what was said, of an error of somebody else', () => {
    expect(reasonOf(Object.assign(new Error('no'), { code: 'EACCES' }))).toEqual({ reason: 'no' })
    expect(reasonOf('no')).toEqual({ reason: 'no' })
  })
})

describe('an error of core', () => {
  it('goes over the wire in English, and with its parts', () => {
    expect(answerTo(() => parseCron('* * * * ?'))).toEqual({
      code: 'JOB_CRON_INVALID',
      message: expect.stringContaining('cron "* * * * ?": there are 5 fields; ') as string,
      messageParts: {
        code: 'cron-invalid',
        parameters: {
          expression: '"* * * * ?"',
          reason: {
            code: 'cron-five-fields',
            parameters: { wanted: { code: 'cron-fields-wanted', parameters: {} } },
          },
        },
      },
    })
    expect(answerTo(() => readStoredJob('jobName: j', '/shop/j/config'))).toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
      messageParts: {
        parameters: { source: '/shop/j/config', reason: { parameters: {} }, line: 1, column: 1 },
      },
    })
  })

  it('is English alone where it has no parts', () => {
    const action = (): never => {
      throw new ElasticJobError('JOB_STOPPED', 'the job has stopped')
    }
    expect(answerTo(action)).toEqual({ code: 'JOB_STOPPED', message: 'the job has stopped' })
  })
})

describe('problems', () => {
  it('of handlers that others have written have a message and nothing else', () => {
    const problems: readonly Problem[] = [{ key: 'pager.url', message: 'is required' }]
    expect(problemsOf(problems)).toEqual(problems)
    const action = (): never => {
      throw new ConfigurationError('the job', problems)
    }
    expect(answerTo(action)).toEqual({
      code: 'JOB_CONFIGURATION_INVALID',
      message: 'the job is not valid:\n  pager.url: is required',
      messageParts: {
        code: 'configuration-invalid',
        parameters: {
          subject: 'the job',
          problems: {
            code: 'problem-list',
            parameters: { list: '', key: 'pager.url', problem: 'is required' },
          },
        },
      },
      problems,
    })
  })
})
