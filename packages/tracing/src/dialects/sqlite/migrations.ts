import type { Migration } from '../dialect.ts'

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `create table if not exists elasticjob_run (
        run_id TEXT NOT NULL PRIMARY KEY,
        job_name TEXT NOT NULL,
        sharding_item INTEGER NOT NULL,
        instance TEXT NOT NULL,
        source TEXT NOT NULL,
        fire_time INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        retries INTEGER NOT NULL,
        round INTEGER NULL,
        fencing_token INTEGER NULL,
        lateness INTEGER NULL,
        lateness_class INTEGER NULL,
        start_time INTEGER NOT NULL,
        complete_time INTEGER NULL,
        duration INTEGER NULL,
        duration_class INTEGER NULL,
        outcome TEXT NULL)`,
      // Covers all columns that statistics need, so that they never read the table itself.
      `create index if not exists elasticjob_run_figures on elasticjob_run
        (job_name, start_time, outcome, duration_class, lateness_class)`,
      `create index if not exists elasticjob_run_attempts on elasticjob_run
        (job_name, sharding_item, fire_time)`,
      `create index if not exists elasticjob_run_open on elasticjob_run (start_time)
        where outcome is null`,
      `create table if not exists elasticjob_run_log (
        run_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        time INTEGER NOT NULL,
        stream TEXT NOT NULL,
        length INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (run_id, sequence))`,
      `create index if not exists elasticjob_run_log_time on elasticjob_run_log (time, length)`,
      `create table if not exists elasticjob_writer (
        writer TEXT NOT NULL PRIMARY KEY,
        last_batch INTEGER NOT NULL,
        written_at INTEGER NOT NULL)`,
      `create table if not exists elasticjob_lease (
        name TEXT NOT NULL PRIMARY KEY,
        holder TEXT NOT NULL,
        ends_at INTEGER NOT NULL)`,
    ],
  },
]
