import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownedDirectory, removeOwnedDirectory } from './owned-process.ts'
import { startStandalone } from './standalone.ts'
import type { ZooKeeperOptions } from './zookeeper-config.ts'
import type { ZooKeeperProcess } from './zookeeper-process.ts'

/** A real server that knows users by SASL DIGEST-MD5; clients without SASL are welcome too. */
export interface SaslServer {
  readonly server: ZooKeeperProcess
  readonly connectString: string
  /** Password by user name. */
  readonly users: Readonly<Record<string, string>>
  stop(): Promise<void>
}

export interface SaslOptions extends ZooKeeperOptions {
  /**
   * Password by user name.
   * @default { bob: 'bobsecret' }
   */
  readonly users?: Readonly<Record<string, string>>
}

const saslDefaults: Readonly<Required<Pick<SaslOptions, 'users'>>> = Object.freeze({
  users: Object.freeze({ bob: 'bobsecret' }),
})

export async function startSaslServer(options: SaslOptions = {}): Promise<SaslServer> {
  const { users, ...settings } = { ...saslDefaults, ...options }
  const directory = await ownedDirectory('sasl')
  const jaasFile = join(directory, 'jaas.conf')
  await writeFile(jaasFile, jaasSection(users))
  const server = await startStandalone({
    ...settings,
    config: {
      'authProvider.1': 'org.apache.zookeeper.server.auth.SASLAuthenticationProvider',
      ...settings.config,
    },
    properties: { 'java.security.auth.login.config': jaasFile, ...settings.properties },
  })
  return {
    server,
    connectString: server.connectString,
    users,
    async stop() {
      await server.stop()
      removeOwnedDirectory(directory)
    },
  }
}

/** The section of the JAAS file in which the server finds its users. */
function jaasSection(users: Readonly<Record<string, string>>): string {
  const entries = Object.entries(users).map(([user, password]) => `user_${user}="${password}"`)
  return `Server {
  org.apache.zookeeper.server.auth.DigestLoginModule required
  ${entries.join('\n  ')};
};
`
}
