import { expect, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'

const after = ['--after', '2026-11-15T12:00:00Z']

test('words and next fires in a zone', async () => {
  const { code, stdout } = await elasticjob([
    'cron',
    '0 30 2 * * ?',
    '--zone',
    'Europe/Berlin',
    '--count',
    '3',
    '--after',
    '2027-03-27T00:00:00Z',
  ])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Meaning +at 02:30:00 every day$/m)
  expect(stdout).toMatch(/^Zone +Europe\/Berlin$/m)
  const times = stdout.match(/^2027.*Z/gm)
  // There is no half past two on the day when summer time begins.
  expect(times).toEqual([
    '2027-03-27 02:30:00  2027-03-27T01:30:00Z',
    '2027-03-29 02:30:00  2027-03-29T00:30:00Z',
    '2027-03-30 02:30:00  2027-03-30T00:30:00Z',
  ])
})

test("a zone in Java's form", async () => {
  const { stdout } = await elasticjob([
    'cron',
    '0 0 12 * * ?',
    '-z',
    'GMT+08:00',
    '-c',
    '1',
    ...after,
  ])
  expect(stdout).toContain('2026-11-16 12:00:00  2026-11-16T04:00:00Z')
})

test('JSON for programs', async () => {
  const { code, stdout } = await elasticjob([
    'cron',
    '0/10 * * * * ?',
    '--zone',
    'UTC',
    '--count',
    '2',
    '--json',
    ...after,
  ])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    expression: '0/10 * * * * ?',
    timeZone: 'UTC',
    words: 'every 10 seconds',
    fires: ['2026-11-15T12:00:10.000Z', '2026-11-15T12:00:20.000Z'],
  })
})

test('one that never fires again', async () => {
  const { code, stdout } = await elasticjob(['cron', '0 0 0 1 1 ? 2001'])
  expect(code).toBe(0)
  expect(stdout).toContain('The expression has no further fire time.')
})

test('one that cannot be, and where it is wrong', async () => {
  const { code, stdout, stderr } = await elasticjob(['cron', '0 61 * * * ?'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/minute.*61/)
})
