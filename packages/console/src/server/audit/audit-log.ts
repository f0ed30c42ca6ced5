/** The audit log in the console's own database. */
import type { Clock } from '@elasticjob/core'

import type { AuditEntry, AuditPage, AuditQuery } from '../../contract/audit.ts'
import type { MessageParts } from '../../contract/message.ts'
import type { Database } from '../store/database.ts'

export interface NewAuditEntry extends Omit<AuditEntry, 'id' | 'time' | 'input'> {
  /** As JSON. */
  readonly input?: string | undefined
  /** The jobs of an operation on many jobs. */
  readonly jobNames?: readonly string[] | undefined
}

/** Longer texts are truncated: hostile input must not fill the disk. */
const longestInput = 20_000
const longestConfiguration = 1_100_000
const longestName = 500
/**
 * The maximum number of entries, separately for changes and for other requests, so that the latter do not displace
 * changes. The oldest entries are deleted first.
 */
const keptChanges = 1_000_000
const keptOthers = 100_000
/** The number of entries between two checks of these limits. */
const cleanedEvery = 1000

const usualLimit = 50

export class AuditLog {
  readonly #database: Database
  readonly #clock: Clock
  #written = 0

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  write(entry: NewAuditEntry): void {
    const { lastInsertRowid } = this.#database
      .prepare(
        `insert into audit (time, username, role, address, action, registry, job_name, server, shard,
           outcome, message, message_parts, code, input, before, after, is_change)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        this.#clock.now(),
        cut(entry.username, longestName),
        entry.role,
        cut(entry.address, longestName),
        entry.action,
        orNull(entry.registry, longestName),
        orNull(entry.jobName, longestName),
        orNull(entry.server, longestName),
        entry.shard ?? null,
        entry.outcome,
        cut(entry.message, longestInput),
        entry.messageParts === undefined ? null : wholeOrNull(JSON.stringify(entry.messageParts)),
        entry.code ?? null,
        orNull(entry.input, longestInput),
        orNull(entry.before, longestConfiguration),
        orNull(entry.after, longestConfiguration),
        isChange(entry) ? 1 : 0,
      )
    const ofJob = this.#database.prepare('insert into audited_job (audit, job_name) values (?, ?)')
    for (const jobName of entry.jobNames ?? []) {
      ofJob.run(lastInsertRowid, cut(jobName, longestName))
    }
    this.#written += 1
    if (this.#written % cleanedEvery === 0) this.#clean()
  }

  list(query: AuditQuery): AuditPage {
    const { limit = usualLimit } = query
    const conditions: string[] = []
    const values: (string | number)[] = []
    const where = (sql: string, value: string | number | undefined): void => {
      if (value === undefined) return
      conditions.push(sql)
      values.push(value)
    }
    where('time >= ?', query.from)
    where('time < ?', query.to)
    where('username = ?', query.username)
    where('action = ?', query.action)
    if (query.jobName !== undefined) {
      conditions.push('(job_name = ? or id in (select audit from audited_job where job_name = ?))')
      values.push(query.jobName, query.jobName)
    }
    where('registry = ?', query.registry)
    where('outcome = ?', query.outcome)
    where('id < ?', query.before)
    const condition = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
    const found = this.#database
      .prepare(`select * from audit ${condition} order by id desc limit ?`)
      .all(...values, limit + 1) as Row[]
    const rows = found.slice(0, limit).map(entryOf)
    const next = found.length > limit ? rows.at(-1)?.id : undefined
    return { rows, ...(next === undefined ? {} : { next }) }
  }

  #clean(): void {
    for (const [kind, kept] of [
      [1, keptChanges],
      [0, keptOthers],
    ] as const) {
      this.#database
        .prepare(
          `delete from audit where is_change = ? and id <=
             (select id from audit where is_change = ? order by id desc limit 1 offset ?)`,
        )
        .run(kind, kind, kept)
    }
    this.#database
      .prepare('delete from audited_job where audit not in (select id from audit)')
      .run()
  }
}

/** Whether the request changed something. Every account can log in as often as it likes, so a login does not count. */
function isChange({ outcome, role, action }: NewAuditEntry): boolean {
  return outcome === 'done' && role === 'root' && action !== 'login' && action !== 'logout'
}

interface Row {
  readonly id: number
  readonly time: number
  readonly username: string
  readonly role: string
  readonly address: string
  readonly action: string
  readonly registry: string | null
  readonly job_name: string | null
  readonly server: string | null
  readonly shard: number | null
  readonly outcome: AuditEntry['outcome']
  readonly message: string
  readonly message_parts: string | null
  readonly code: string | null
  readonly input: string | null
  readonly before: string | null
  readonly after: string | null
}

function entryOf(row: Row): AuditEntry {
  const { id, time, username, role, address, action, outcome, message } = row
  return {
    id,
    time,
    username,
    role,
    address,
    action,
    outcome,
    message,
    ...(row.message_parts === null
      ? {}
      : { messageParts: JSON.parse(row.message_parts) as MessageParts }),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.registry === null ? {} : { registry: row.registry }),
    ...(row.job_name === null ? {} : { jobName: row.job_name }),
    ...(row.server === null ? {} : { server: row.server }),
    ...(row.shard === null ? {} : { shard: row.shard }),
    ...(row.input === null ? {} : { input: inputOf(row.input) }),
    ...(row.before === null ? {} : { before: row.before }),
    ...(row.after === null ? {} : { after: row.after }),
  }
}

/** A truncated value is not valid JSON. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function orNull(text: string | undefined, longest: number): string | null {
  return text === undefined ? null : cut(text, longest)
}

/** A truncated part could not be parsed. */
function wholeOrNull(json: string): string | null {
  return json.length > longestInput ? null : json
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
