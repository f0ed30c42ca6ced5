import type { Dialect } from '../dialect.ts'
import { connect, describe } from './connect.ts'
import { expressions } from './expressions.ts'
import { failureOf, product } from './failures.ts'
import { findIndexes, indexesOf } from './indexes.ts'
import { executionTable, findTable, statusTable } from './java-tables.ts'
import { migrations } from './migrations.ts'
import { withSchemaLock } from './schema-lock.ts'
import { writing } from './writing.ts'

/** A local file, for one process or several. */
export const sqlite: Dialect = {
  product,
  describe,
  connect,
  failureOf,
  findTable,
  executionTable,
  statusTable,
  indexesOf,
  findIndexes,
  migrations,
  withSchemaLock,
  expressions,
  writing,
}
