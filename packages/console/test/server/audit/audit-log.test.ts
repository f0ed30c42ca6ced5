import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@elasticjob/core/internal'
import Sqlite from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AuditLog, type NewAuditEntry } from '../../../src/server/audit/audit-log.ts'
import { openDatabase } from '../../../src/server/store/database.ts'

const entry: NewAuditEntry = {
  username: 'root',
  role: 'root',
  address: '127.0.0.1',
  action: 'pauseJob',
  outcome: 'done',
  message: 'job a is paused',
}
const messageParts = { code: 'job-paused', parameters: { jobName: 'a' } }

describe('the audit', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'audit-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('keeps what was said with its parts, and the code of what failed', () => {
    const audit = new AuditLog(openDatabase(':memory:'), systemClock)
    audit.write({ ...entry, messageParts })
    audit.write({ ...entry, outcome: 'failed', message: 'JOB_REMOVED: no', code: 'JOB_REMOVED' })
    const [failed, done] = audit.list({}).rows
    expect(done).toMatchObject({ message: 'job a is paused', messageParts })
    expect(done).not.toHaveProperty('code')
    expect(failed).toMatchObject({ message: 'JOB_REMOVED: no', code: 'JOB_REMOVED' })
    expect(failed).not.toHaveProperty('messageParts')
  })

  it('keeps parts whole or not at all', () => {
    const audit = new AuditLog(openDatabase(':memory:'), systemClock)
    const long = 'x'.repeat(30_000)
    audit.write({
      ...entry,
      message: long,
      messageParts: { code: 'some-shards', parameters: { shards: long } },
    })
    const [kept] = audit.list({}).rows
    expect(kept?.message).toHaveLength(20_001)
    expect(kept).not.toHaveProperty('messageParts')
  })

  it('goes on with a file from before there were parts', () => {
    const path = join(directory, 'console.db')
    openDatabase(path).close()
    const older = new Sqlite(path)
    older.exec(
      'drop table known_address; drop table refusal; drop table audited_job; drop index audit_kind',
    )
    older.exec('alter table audit drop column is_change')
    older.exec('alter table audit drop column message_parts')
    older.exec('alter table audit drop column code')
    older.exec('pragma user_version = 1')
    older.exec(
      `insert into audit (time, username, role, address, action, outcome, message, input, after)
       values (1, 'root', 'root', '::1', 'logout', 'done', 'done', '"planted"', 'planted')`,
    )
    older.close()
    const database = openDatabase(path)
    const audit = new AuditLog(database, systemClock)
    audit.write({ ...entry, messageParts })
    expect(audit.list({}).rows.map((row) => row.messageParts)).toEqual([messageParts, undefined])
    // What was written then may have secrets in it.
    expect(JSON.stringify(audit.list({}).rows)).not.toContain('planted')
    database.close()
  })
})
