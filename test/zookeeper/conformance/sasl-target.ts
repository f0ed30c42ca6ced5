import { expireSession } from '../harness/expire-session.ts'
import { startSaslServer } from '../harness/sasl.ts'
import type { TestServer } from './test-clients.ts'

/** A user that the server knows by SASL. */
export const bob = Object.freeze({ username: 'bob', password: 'bobsecret' })

export async function startSaslTarget(): Promise<TestServer> {
  const server = await startSaslServer({ users: { [bob.username]: bob.password } })
  const { connectString } = server
  return {
    connectString,
    expireSession: (id, password) => expireSession(connectString, id, password),
    stop: () => server.stop(),
  }
}
