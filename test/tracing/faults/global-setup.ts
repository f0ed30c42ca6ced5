import { mariaDbAvailable } from '../../services/mariadb.ts'
import { postgreSqlAvailable } from '../../services/postgresql.ts'

/**
 * Without a server its tests are skipped, with the command that gets it; in CI that is an error, because a
 * skipped suite looks just like a passing one there.
 */
export function setup(): void {
  if (postgreSqlAvailable() && mariaDbAvailable()) return
  const message = 'Tests that harm databases need them: `npm run setup:databases` gets them'
  if (process.env['CI'] === 'true') throw new Error(`${message}.`)
  console.warn(`${message}; those whose server is absent are skipped.`)
}
