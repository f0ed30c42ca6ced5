/**
 * What the server says in English, by the words that it says it with. `{0}` is the first of the values that
 * stand between them, whatever its place in Chinese is.
 */
import { audit } from './messages/audit.ts'
import { configuration } from './messages/configuration.ts'
import { cron } from './messages/cron.ts'
import { decoding } from './messages/decoding.ts'
import { doctor } from './messages/doctor.ts'
import { history } from './messages/history.ts'
import { input } from './messages/input.ts'
import { operations } from './messages/operations.ts'
import { server } from './messages/server.ts'

export const messages: Readonly<Record<string, string>> = {
  ...audit,
  ...configuration,
  ...cron,
  ...decoding,
  ...doctor,
  ...history,
  ...input,
  ...operations,
  ...server,
}
