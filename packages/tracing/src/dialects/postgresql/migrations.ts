import type { Migration } from '../dialect.ts'

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `create table if not exists elasticjob_run (
        run_id VARCHAR(40) NOT NULL PRIMARY KEY,
        job_name VARCHAR(100) NOT NULL,
        sharding_item INTEGER NOT NULL,
        instance VARCHAR(255) NOT NULL,
        source VARCHAR(20) NOT NULL,
        fire_time BIGINT NOT NULL,
        attempt BIGINT NOT NULL,
        retries BIGINT NOT NULL,
        round BIGINT NULL,
        fencing_token BIGINT NULL,
        lateness BIGINT NULL,
        lateness_class SMALLINT NULL,
        start_time BIGINT NOT NULL,
        complete_time BIGINT NULL,
        duration BIGINT NULL,
        duration_class SMALLINT NULL,
        outcome VARCHAR(20) NULL)`,
      // Covers all columns that statistics need, so that they never read the table itself.
      `create index if not exists elasticjob_run_figures on elasticjob_run
        (job_name, start_time, outcome, duration_class, lateness_class)`,
      `create index if not exists elasticjob_run_attempts on elasticjob_run
        (job_name, sharding_item, fire_time)`,
      `create index if not exists elasticjob_run_open on elasticjob_run (start_time)
        where outcome is null`,
      `create table if not exists elasticjob_run_log (
        run_id VARCHAR(40) NOT NULL,
        sequence BIGINT NOT NULL,
        time BIGINT NOT NULL,
        stream VARCHAR(20) NOT NULL,
        length INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (run_id, sequence))`,
      `create index if not exists elasticjob_run_log_time on elasticjob_run_log (time, length)`,
      `create table if not exists elasticjob_writer (
        writer VARCHAR(40) NOT NULL PRIMARY KEY,
        last_batch BIGINT NOT NULL,
        written_at BIGINT NOT NULL)`,
      `create table if not exists elasticjob_lease (
        name VARCHAR(40) NOT NULL PRIMARY KEY,
        holder VARCHAR(40) NOT NULL,
        ends_at BIGINT NOT NULL)`,
    ],
  },
]
