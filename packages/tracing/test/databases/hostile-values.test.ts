/** Values that no table was made for are stored clean, or refused, and harm nothing else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { HistoryStore } from '../../src/store/history-store.ts'
import {
  batch,
  batchOf,
  chunk,
  assignment,
  execution,
  lostRun,
  run,
  status,
} from './support/records.ts'
import { createAsJava } from './support/java-shapes.ts'
import { product, TestDatabase } from './support/test-database.ts'

const injections = [
  `'; drop table JOB_EXECUTION_LOG; --`,
  `\\'; drop table JOB_EXECUTION_LOG; --`,
  `" or "1"="1`,
  `' union select writer, 1 from elasticjob_writer --`,
  `$1 ? :name @x %s %27`,
  `\u00bf' or 1=1 --`,
  '`; delete from elasticjob_run; #',
]

const odd = [
  'NUL \0 in the middle',
  '\0',
  'half a pair \ud83d',
  '\udc00 the other half',
  'a face \u{1f600} and a letter beyond \u{20000}',
  'line\r\nbreaks\u2028and\ttabs',
  '\u202e turned around',
  'x'.repeat(3 * 1024 * 1024),
  '\u{1f600}'.repeat(300_000),
  '%_[]^',
]

/** What no database stores: NUL, and lone surrogates. */
const unstorable = /\0|\p{Surrogate}/gu

/** In characters, as a column counts them. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

let database: TestDatabase
let store: HistoryStore

describe('hostile values', () => {
  beforeAll(async () => {
    database = await TestDatabase.create()
    // Tables made by Java may hold fewer characters than ours.
    if (product === 'mysql') await createAsJava(database, 'utf8mb3')
    store = await database.open()
    await store.writeBatch(batchOf([{ id: 'innocent', jobName: 'innocent' }]))
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test.for(injections)('an SQL injection in every field stays a text: %s', async (text) => {
    const id = text.slice(0, 40)
    await store.writeBatch(
      batch({
        writer: id,
        sequence: 1,
        executions: [
          execution({
            id,
            jobName: text,
            taskId: text,
            hostname: text,
            ip: text,
            isSuccess: false,
            failureCause: text,
          }),
        ],
        runs: [run({ runId: id, jobName: text, instance: text, outcome: 'failure' })],
        statuses: [
          status({
            id,
            jobName: text,
            originalTaskId: text,
            taskId: text,
            slaveId: text,
            message: text,
          }),
        ],
        logs: [chunk({ runId: id, text })],
        lost: [lostRun({ runId: `lost${id}`.slice(0, 40), jobName: text, instance: text })],
      }),
    )
    const { rows } = await store.executions({ jobName: text, address: text, outcomes: ['failure'] })
    expect(rows).toMatchObject([{ id, jobName: text, taskId: text, failureCause: text }])
    expect((await store.statusChanges({ jobName: text, taskId: text })).rows).toMatchObject([
      { message: text, slaveId: text },
    ])
    expect((await store.log(id)).chunks).toMatchObject([{ text }])
    const window = { jobName: text, from: assignment, to: assignment + 60_000 }
    expect((await store.statistics({ ...window, step: 'minute' })).total.runs).toBe(2)
    expect((await store.timeline(window)).runs).toHaveLength(2)
    expect((await store.run(id))?.execution.jobName).toBe(text)
    await store.retain({ jobs: { [text]: { count: 1 } } })
    expect(await store.jobNames()).toContain('innocent')
    expect((await store.executions({ jobName: 'innocent' })).rows).toHaveLength(1)
  })

  test.for(odd.map((text, index) => [index, text] as const))(
    'an odd text is stored cut and clean in every field that may be cut: %i',
    async ([index, text]) => {
      const id = `odd-${index}`
      await store.writeBatch(
        batch({
          executions: [
            execution({ id, taskId: text, hostname: text, ip: text, failureCause: text }),
          ],
          runs: [run({ runId: id, instance: text })],
          statuses: [status({ id, taskId: text, slaveId: text, message: text })],
          logs: [chunk({ runId: id, text })],
        }),
      )
      const found = await store.run(id)
      const kept = found?.execution.failureCause ?? ''
      expect(kept).not.toMatch(unstorable)
      expect(lengthOf(kept)).toBe(Math.min(lengthOf(text), 4000))
      expect(lengthOf(found?.execution.ip ?? '')).toBeLessThanOrEqual(50)
      const [piece] = (await store.log(id)).chunks
      expect(piece?.text.slice(0, 4)).toBe(text.slice(0, 4).replace(unstorable, '\ufffd'))
      expect(lengthOf(piece?.text ?? '')).toBeLessThanOrEqual(65_536)
    },
  )

  test.for([
    ['a name that is too long', { jobName: 'x'.repeat(101) }],
    ['an empty name', { jobName: '' }],
    ['a name with a NUL', { jobName: 'a\0b' }],
    ['half a character for a name', { jobName: 'a\ud83d' }],
    ['an id that is too long', { id: 'x'.repeat(41) }],
    ['no time', { startTime: Number.NaN }],
    ['an endless time', { completeTime: Number.POSITIVE_INFINITY }],
    ['a negative shard', { shardingItem: -1 }],
    ['a shard beyond the column', { shardingItem: 2 ** 31 }],
    ['half a shard', { shardingItem: 0.5 }],
  ] as const)('%s is refused', async ([, change]) => {
    await expect(
      store.writeBatch(batch({ executions: [execution(change)] })),
    ).rejects.toMatchObject({ code: 'HISTORY_RECORD_INVALID' })
  })

  test.for([-8.64e15, -1, 0, 1, 999, 2 ** 31 * 1000, 253_402_300_800_000, 8.64e15, 1e300])(
    'a clock that says %d stays within what a column holds',
    async (time) => {
      const id = `clock${time}`
      await store.writeBatch(
        batch({
          executions: [execution({ id, startTime: time, completeTime: time - 1000 })],
          runs: [
            run({
              runId: id,
              startTime: time,
              completeTime: time - 1000,
              fireTime: time,
              duration: -1000,
              lateness: -5,
            }),
          ],
          statuses: [status({ id, creationTime: time })],
          logs: [chunk({ runId: id, time })],
        }),
      )
      const expected = Math.min(Math.max(time, 0), 253_402_300_799_999)
      expect((await store.run(id))?.execution).toMatchObject({
        startTime: expected,
        duration: 0,
        details: { lateness: 0, fireTime: expected },
      })
      expect((await store.log(id)).chunks).toMatchObject([{ time: expected }])
    },
  )
})
