/**
 * What the server says in English, by the words that it says it with. `{0}` is the first of the values that
 * stand between them, whatever its place in Chinese is.
 */
import { audit } from './sentences/audit.ts'
import { configuration } from './sentences/configuration.ts'
import { cron } from './sentences/cron.ts'
import { doctor } from './sentences/doctor.ts'
import { history } from './sentences/history.ts'
import { input } from './sentences/input.ts'
import { operations } from './sentences/operations.ts'
import { server } from './sentences/server.ts'

export const sentences: Readonly<Record<string, string>> = {
  ...audit,
  ...configuration,
  ...cron,
  ...doctor,
  ...history,
  ...input,
  ...operations,
  ...server,
}
