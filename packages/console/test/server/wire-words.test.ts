import {
  ConfigurationError,
  ElasticJobError,
  parseCron,
  type Problem,
  readStoredJob,
  say,
} from '@elasticjob/core'
import { HistoryError } from '@elasticjob/tracing'
import { ZooKeeperError } from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

import { failure } from '../../src/contract/common.ts'
import { said } from '../../src/contract/sentence.ts'
import { ConsoleError } from '../../src/errors.ts'
import { failedAnswer } from '../../src/server/http/failures.ts'
import { problemsOf, reasonOf, saidOf } from '../../src/server/wire-words.ts'

function answerTo(deed: () => unknown): unknown {
  try {
    deed()
  } catch (error) {
    return failure.parse(JSON.parse(JSON.stringify(failedAnswer(error).body))).error
  }
  throw new Error('it was done')
}

describe('a sentence', () => {
  const sentence = say`nobody owns ${say`items ${'0'} and ${2}`} yet`
  const sent = {
    template: 'nobody owns {} yet',
    values: [{ template: 'items {} and {}', values: ['0', 2] }],
  }

  it('goes over the wire without its English', () => {
    expect(saidOf(sentence)).toEqual(sent)
    expect(said.parse(sentence)).toEqual(sent)
  })

  it('is refused if it is none', () => {
    expect(said.safeParse({ template: 'x' }).success).toBe(false)
    expect(said.safeParse({ template: 'x', values: [{ text: 'y' }] }).success).toBe(false)
  })
})

describe('a reason', () => {
  it('has the code of its error, and its parts where it has them', () => {
    const lost = say`there is no run "${'a'}"`
    const parts = { template: 'there is no run "{}"', values: ['a'] }
    expect(reasonOf(new ConsoleError('CONSOLE_NOT_FOUND', lost))).toEqual({
      reason: 'there is no run "a"',
      said: parts,
      code: 'CONSOLE_NOT_FOUND',
    })
    expect(reasonOf(new HistoryError('HISTORY_CLOSED', lost))).toMatchObject({ said: parts })
    expect(reasonOf(new HistoryError('HISTORY_FAILED', 'SQLite: no'))).toEqual({
      reason: 'SQLite: no',
      code: 'HISTORY_FAILED',
    })
    expect(reasonOf(new ZooKeeperError('ZK_CONNECT_FAILED', 'refused'))).toEqual({
      reason: 'refused',
      code: 'ZK_CONNECT_FAILED',
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
      said: {
        template: 'cron {}: {}',
        values: [
          '"* * * * ?"',
          {
            template: 'there are 5 fields; {}; seconds come first here',
            values: [
              { template: expect.stringContaining('it takes second') as string, values: [] },
            ],
          },
        ],
      },
    })
    expect(answerTo(() => readStoredJob('jobName: j', '/shop/j/config'))).toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
      said: { values: ['/shop/j/config', { values: [] }, 1, 1] },
    })
  })

  it('is English alone where it has no parts', () => {
    const deed = (): never => {
      throw new ElasticJobError('JOB_STOPPED', 'the job has stopped')
    }
    expect(answerTo(deed)).toEqual({ code: 'JOB_STOPPED', message: 'the job has stopped' })
  })
})

describe('problems', () => {
  it('of handlers that others have written have a message and nothing else', () => {
    const problems: readonly Problem[] = [{ key: 'pager.url', message: 'is required' }]
    expect(problemsOf(problems)).toEqual(problems)
    const deed = (): never => {
      throw new ConfigurationError('the job', problems)
    }
    expect(answerTo(deed)).toEqual({
      code: 'JOB_CONFIGURATION_INVALID',
      message: 'the job is not valid:\n  pager.url: is required',
      said: {
        template: '{} is not valid:{}',
        values: ['the job', { template: '{}\n  {}: {}', values: ['', 'pager.url', 'is required'] }],
      },
      problems,
    })
  })
})
