import { ElasticJobError, errorCodes as jobErrorCodes, RegistryError } from '@elasticjob/core'
import { HistoryError } from '@elasticjob/tracing'
import { CommanderError } from 'commander'
import { describe, expect, test } from 'vitest'

import { CommandError, errorCodes } from '../src/errors.ts'
import { exitCodes } from '../src/exit-codes.ts'
import { exitCodeOf, failureText } from '../src/failure.ts'
import { plain } from '../src/output/style.ts'

const asText = { json: false, style: plain, help: 'elasticjob jobs --help' }

describe('exit codes', () => {
  test.for<[error: Error, code: number]>([
    [new CommanderError(0, 'commander.helpDisplayed', ''), 0],
    [new CommanderError(1, 'commander.unknownOption', 'error: unknown option'), 2],
    [new ElasticJobError('JOB_NOT_FOUND', ''), 3],
    [new ElasticJobError('JOB_SHARD_NOT_FOUND', ''), 3],
    [new ElasticJobError('JOB_REGISTRY_UNREACHABLE', ''), 4],
    [new ElasticJobError('JOB_CONFIGURATION_INVALID', ''), 2],
    [new ElasticJobError('JOB_CONFLICT', ''), 5],
    [new ElasticJobError('JOB_TRANSACTION_TOO_LARGE', ''), 1],
    [new RegistryError('REGISTRY_NO_AUTH', ''), 5],
    [new RegistryError('REGISTRY_AUTH_FAILED', ''), 5],
    [new HistoryError('HISTORY_URL_INVALID', ''), 2],
    [new HistoryError('HISTORY_UNREACHABLE', ''), 4],
    [new HistoryError('HISTORY_FULL', ''), 1],
    [new TypeError('x is not a function'), 1],
  ])('%s', ([error, code]) => {
    expect(exitCodeOf(error)).toBe(code)
  })

  test('every code of ours has one that says more than that it failed, but for one', () => {
    const failed = errorCodes.filter(
      (code) => exitCodeOf(new CommandError(code, '')) === exitCodes.failed,
    )
    expect(failed).toEqual(['CLI_FAILED'])
  })

  test('whatever is not found is not found', () => {
    const codes = jobErrorCodes.filter((code) => code.endsWith('_NOT_FOUND'))
    expect(codes.length).toBeGreaterThan(0)
    const exits = codes.map((code) => exitCodeOf(new ElasticJobError(code, '')))
    expect(new Set(exits)).toEqual(new Set([exitCodes.notFound]))
  })
})

describe('the text', () => {
  test('is the message', () => {
    expect(failureText(new CommandError('CLI_REFUSED', 'nothing was changed'), asText)).toBe(
      'error: nothing was changed\n',
    )
  })

  test('says how to be told more of arguments', () => {
    const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'")
    expect(failureText(error, asText)).toBe(
      "error: unknown option '--x'\n(elasticjob jobs --help shows how)\n",
    )
  })

  test('is JSON for a program', () => {
    const error = new ElasticJobError('JOB_NOT_FOUND', 'there is no job "x"')
    expect(JSON.parse(failureText(error, { ...asText, json: true }))).toEqual({
      error: { code: 'JOB_NOT_FOUND', message: 'there is no job "x"', exitCode: 3 },
    })
  })

  test('of a data directory has its code', () => {
    const error = Object.assign(new Error('used by another'), { code: 'ZKS_DATA_DIR_LOCKED' })
    expect(JSON.parse(failureText(error, { ...asText, json: true }))).toMatchObject({
      error: { code: 'ZKS_DATA_DIR_LOCKED', message: 'used by another', exitCode: 1 },
    })
  })

  test('of what nobody has thought of says where it comes from', () => {
    expect(failureText(new TypeError('x is not a function'), asText)).toMatch(
      /^error: TypeError: x is not a function\n +at /,
    )
  })
})
