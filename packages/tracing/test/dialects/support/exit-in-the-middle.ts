/** `exit-in-the-middle <file>`: exits while native code binds the parameters of statements. */
import { SqliteThread } from '../../../src/dialects/sqlite/sqlite-thread.ts'

const parameters = Array.from({ length: 30_000 }, (_, index) => index)
const statement = `select 1 as one where 0 in (${parameters.map(() => '?').join(', ')})`
const thread = new SqliteThread({ path: process.argv[2] ?? '', busyTimeout: 1000 })
await thread.run(statement, parameters)
const answers = Array.from({ length: 100 }, () => thread.run(statement, parameters))
await answers[0]
process.exit(0)
