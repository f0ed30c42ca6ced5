import type { Expressions, Writing } from '../dialects/dialect.ts'
import type { Schema } from './schema.ts'

/** What statements need to know of a database. */
export interface Tables {
  readonly schema: Schema
  readonly expressions: Expressions
  readonly writing: Writing
}
