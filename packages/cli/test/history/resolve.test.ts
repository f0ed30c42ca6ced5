import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { tracingOptionsOf } from '@elasticjob/tracing'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type HistoryFlags, resolveHistory } from '../../src/history/resolve.ts'

let directory: string
let empty: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  empty = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
  const text = 'tracing:\n  url: mysql://me:${SECRET:-none}@db/jobs\n  timeZone: Asia/Shanghai\n'
  writeFileSync(join(directory, 'elasticjob.yaml'), text)
  writeFileSync(join(directory, 'usual.yaml'), 'tracing:\n  logs: true\n')
  writeFileSync(join(directory, 'none.yaml'), 'jobs: {}\n')
})

afterAll(() => {
  for (const each of [directory, empty]) rmSync(each, { recursive: true })
})

function resolved(flags: HistoryFlags, environment = {}, where = directory): unknown {
  return resolveHistory(flags, { environment, directory: where }, tracingOptionsOf)
}

const variable = { ELASTICJOB_HISTORY: 'postgresql://db/jobs' }

test('an option goes before a variable, and a variable before the file', () => {
  expect(resolved({ database: 'mysql://x/y' }, variable)).toEqual({ url: 'mysql://x/y' })
  expect(resolved({}, variable)).toEqual({ url: 'postgresql://db/jobs' })
  expect(resolved({}, { SECRET: 'p' })).toEqual({
    url: 'mysql://me:p@db/jobs',
    timeZone: 'Asia/Shanghai',
  })
})

test('files of SQLite are beside whoever names them', () => {
  const url = `sqlite:${join(empty, 'h.db')}`
  expect(resolved({ database: 'sqlite:h.db' }, {}, empty)).toEqual({ url })
  const usual = `sqlite:${join(directory, 'elasticjob-history.db')}`
  expect(resolved({ file: 'usual.yaml' })).toEqual({ url: usual })
})

test('how to name one is told where nothing does', () => {
  for (const [flags, where] of [
    [{}, empty],
    [{ file: 'none.yaml' }, directory],
  ] as const) {
    expect(() => resolved(flags, {}, where)).toThrow(
      /--database[^]*ELASTICJOB_HISTORY[^]*section tracing[^]*`elasticjob run`/,
    )
  }
})
