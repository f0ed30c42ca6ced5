/** The tables that versions of ElasticJob for Java create, and the rows that Java writes. */
import { type ProductName, product, type TestDatabase } from './test-database.ts'

export type Shape = '3.0.5' | '3.0.4' | '2.1.5' | 'utf8mb3' | 'small letters'

/** Those that this database may have. */
export const shapes: readonly Shape[] = {
  sqlite: ['3.0.5', '3.0.4'] as const,
  postgresql: ['3.0.5', '3.0.4', '2.1.5'] as const,
  mysql: ['3.0.5', '3.0.4', '2.1.5', 'utf8mb3', 'small letters'] as const,
}[product]

interface Words {
  readonly truth: string
  /** Before all other columns. */
  readonly first: string
  readonly executionKeys: string
  readonly statusKeys: string
  readonly form: string
}

function textOf(shape: Shape): Words {
  const plain = {
    truth: 'INT',
    first: '',
    executionKeys: 'PRIMARY KEY (id)',
    statusKeys: 'PRIMARY KEY (id)',
    form: '',
  }
  const words: Readonly<Record<ProductName, Words>> = {
    sqlite: plain,
    postgresql: { ...plain, truth: shape === '2.1.5' ? 'INT' : 'BOOLEAN' },
    mysql:
      shape === '2.1.5'
        ? plain
        : {
            truth: 'INT',
            first: 'auto_id int NOT NULL AUTO_INCREMENT,',
            executionKeys: 'PRIMARY KEY (auto_id), UNIQUE KEY `id` (`id`)',
            statusKeys: 'PRIMARY KEY (auto_id)',
            form: shape === 'utf8mb3' ? 'ENGINE=InnoDB CHARACTER SET utf8mb3' : 'ENGINE=InnoDB',
          },
  }
  return words[product]
}

export function hasSource(shape: Shape): boolean {
  return shape === '3.0.4' || shape === '2.1.5'
}

export async function createAsJava(database: TestDatabase, shape: Shape): Promise<void> {
  const { truth, first, executionKeys, statusKeys, form } = textOf(shape)
  const named = (name: string): string => (shape === 'small letters' ? name.toLowerCase() : name)
  await database.query(`CREATE TABLE ${named('JOB_EXECUTION_LOG')} (${first}
    id VARCHAR(40) NOT NULL, job_name VARCHAR(100) NOT NULL, task_id VARCHAR(255) NOT NULL,
    hostname VARCHAR(255) NOT NULL, ip VARCHAR(50) NOT NULL, sharding_item INT NOT NULL,
    execution_source VARCHAR(20) NOT NULL, failure_cause VARCHAR(4000) NULL,
    is_success ${truth} NOT NULL, start_time TIMESTAMP NULL, complete_time TIMESTAMP NULL,
    ${executionKeys}) ${form}`)
  await database.query(`CREATE TABLE ${named('JOB_STATUS_TRACE_LOG')} (${first}
    id VARCHAR(40) NOT NULL, job_name VARCHAR(100) NOT NULL, original_task_id VARCHAR(255) NOT NULL,
    task_id VARCHAR(255) NOT NULL, slave_id VARCHAR(50) NOT NULL,
    ${hasSource(shape) ? 'source VARCHAR(50) NOT NULL,' : ''}
    execution_type VARCHAR(20) NOT NULL, sharding_item VARCHAR(100) NOT NULL,
    state VARCHAR(20) NOT NULL, message VARCHAR(4000) NULL, creation_time TIMESTAMP NULL,
    ${statusKeys}) ${form}`)
}

/**
 * Rows as Java writes them: a success, a failure, a run in progress, and a run of which only the end was
 * written.
 */
export async function writeAsJava(
  database: TestDatabase,
  shape: Shape,
  time: (milliseconds: number) => string,
): Promise<void> {
  const isTrue = product === 'postgresql' && shape !== '2.1.5' ? 'true' : '1'
  const isFalse = product === 'postgresql' && shape !== '2.1.5' ? 'false' : '0'
  const table = shape === 'small letters' ? 'job_execution_log' : 'JOB_EXECUTION_LOG'
  const begun = (id: string, at: number, success: string): string => `'${id}', 'sync-orders',
    'sync-orders@-@1@-@READY@-@10.0.0.9@-@4711', 'java-host', '10.0.0.9', 1, 'NORMAL_TRIGGER',
    ${success}, ${time(at)}`
  const columns = `id, job_name, task_id, hostname, ip, sharding_item, execution_source, is_success,
    start_time`
  await database.query(`INSERT INTO ${table} (${columns}, complete_time)
    VALUES (${begun('java-success', 0, isTrue)}, ${time(3000)})`)
  await database.query(`INSERT INTO ${table} (${columns}, complete_time, failure_cause)
    VALUES (${begun('java-failure', 1000, isFalse)}, ${time(2000)}, 'java.lang.Exception')`)
  await database.query(`INSERT INTO ${table} (${columns})
    VALUES (${begun('java-running', 2000, isFalse)})`)
  await database.query(`INSERT INTO ${table} (${columns}, failure_cause)
    VALUES (${begun('java-end-only', 3000, isFalse)}, 'java.lang.Error')`)
}
