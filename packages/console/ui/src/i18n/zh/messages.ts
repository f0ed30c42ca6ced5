/** The messages of the server in Chinese, by code; `{name}` is a parameter of the message. */
import { configuration } from './messages/configuration.ts'
import { console } from './messages/console.ts'
import { cron } from './messages/cron.ts'
import { decoding } from './messages/decoding.ts'
import { doctor } from './messages/doctor.ts'
import { history } from './messages/history.ts'
import { operations } from './messages/operations.ts'

export const messages: Readonly<Record<string, string>> = {
  ...configuration,
  ...console,
  ...cron,
  ...decoding,
  ...doctor,
  ...history,
  ...operations,
}
