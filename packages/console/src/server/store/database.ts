/** The console's own SQLite file: accounts, sessions, defaults of users and the audit log. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

import Sqlite from 'libsql'

import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'

export type Database = Sqlite.Database

/** The migrations in order, each applied once; the file stores how many were applied. */
const steps: readonly string[] = [
  `create table account (
     username text primary key,
     role text not null,
     password text not null
   );
   create table session (
     token text primary key,
     username text not null,
     csrf text not null,
     expires integer not null
   );
   create index session_username on session (username);
   create table choice (
     username text primary key,
     registry text,
     source text
   );
   create table audit (
     id integer primary key autoincrement,
     time integer not null,
     username text not null,
     role text not null,
     address text not null,
     action text not null,
     registry text,
     job_name text,
     server text,
     shard integer,
     outcome text not null,
     message text not null,
     input text,
     before text,
     after text
   );
   create index audit_time on audit (time);
   create index audit_job on audit (job_name, id);`,
  `alter table audit add column message_parts text;
   alter table audit add column code text;`,
  `alter table audit add column is_change integer not null default 1;
   create index audit_kind on audit (is_change, id);
   create table audited_job (
     audit integer not null,
     job_name text not null
   );
   create index audited_job_name on audited_job (job_name, audit);
   create index audited_job_audit on audited_job (audit);
   create table refusal (
     began integer not null,
     address text not null,
     action text not null,
     code text not null,
     count integer not null,
     last integer not null,
     username text not null,
     primary key (began, address, action, code)
   );
   -- Until then passwords could be among them.
   update audit set input = null, before = null, after = null;`,
  `create table known_address (
     username text not null,
     address text not null,
     last integer not null,
     primary key (username, address)
   );`,
]

/** `:memory:` keeps everything only while the console runs. */
export function openDatabase(path: string): Database {
  if (path !== ':memory:') makePrivate(path)
  const database = new Sqlite(path)
  database.exec('pragma busy_timeout = 5000')
  database.exec('pragma journal_mode = wal')
  migrate(database, path)
  return database
}

/** Creates the file before SQLite does, so that no other user can read it at any time. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

function migrate(database: Database, path: string): void {
  const { user_version: done } = database.prepare('pragma user_version').get() as {
    user_version: number
  }
  if (done > steps.length) {
    throw new ConsoleError(
      'CONSOLE_STATE_UNREADABLE',
      message('console-state-newer', { path, version: done, known: steps.length }),
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < done) continue
    database.exec('begin immediate')
    try {
      database.exec(step)
      database.exec(`pragma user_version = ${index + 1}`)
      database.exec('commit')
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  }
}
