import type { Migration } from '../dialect.ts'

/** Texts are compared exactly, and may contain any character. */
const form = 'ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      // The first index covers all columns that statistics need, so that they never read the table itself.
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
        outcome VARCHAR(20) NULL,
        KEY elasticjob_run_figures
          (job_name, start_time, outcome, duration_class, lateness_class),
        KEY elasticjob_run_attempts (job_name, sharding_item, fire_time),
        KEY elasticjob_run_open (outcome, start_time)) ${form}`,
      `create table if not exists elasticjob_run_log (
        run_id VARCHAR(40) NOT NULL,
        sequence BIGINT NOT NULL,
        time BIGINT NOT NULL,
        stream VARCHAR(20) NOT NULL,
        length INTEGER NOT NULL,
        text MEDIUMTEXT NOT NULL,
        PRIMARY KEY (run_id, sequence),
        KEY elasticjob_run_log_time (time, length)) ${form}`,
      `create table if not exists elasticjob_writer (
        writer VARCHAR(40) NOT NULL PRIMARY KEY,
        last_batch BIGINT NOT NULL,
        written_at BIGINT NOT NULL) ${form}`,
      `create table if not exists elasticjob_lease (
        name VARCHAR(40) NOT NULL PRIMARY KEY,
        holder VARCHAR(40) NOT NULL,
        ends_at BIGINT NOT NULL) ${form}`,
    ],
  },
]
