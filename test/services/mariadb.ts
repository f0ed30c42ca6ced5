import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../zookeeper/harness/free-port.ts'
import { isOnPath } from '../zookeeper/harness/java.ts'
import { ownedDirectory, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { firstBytes } from './first-bytes.ts'
import { ServiceProcess, startOrStop } from './service-process.ts'

export interface MariaDbOptions {
  /** Settings of my.cnf that differ from MariaDB's own defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Words before the program, such as those that bind it to a core. */
  readonly launcher?: readonly string[]
}

/** The first byte of a greeting's body, behind a head of four: the version of the protocol. */
const protocolVersion = 10

/** Whether this machine has MariaDB; `npm run setup:databases` installs it. */
export function mariaDbAvailable(): boolean {
  return ['mariadbd', 'mariadb-install-db', 'my_print_defaults'].every(isOnPath)
}

/** A real MariaDB on a free loopback port, with an empty database and a user without a password. */
export class MariaDb extends ServiceProcess {
  readonly user = 'root'
  readonly database = 'elasticjob'

  /** Resolves when it serves. */
  static async start({ settings = {}, launcher = [] }: MariaDbOptions = {}): Promise<MariaDb> {
    const port = await freePort()
    const directory = await ownedDirectory('mariadb')
    const data = join(directory, 'data')
    const user = `--user=${userInfo().username}`
    await promisify(execFile)('mariadb-install-db', [
      '--no-defaults',
      user,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ])
    const onStart = join(directory, 'start.sql')
    await writeFile(onStart, 'CREATE DATABASE IF NOT EXISTS elasticjob;\n')
    const [program = '', ...args] = [
      ...launcher,
      'mariadbd',
      '--no-defaults',
      user,
      `--datadir=${data}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      `--socket=${join(directory, 'mariadb.sock')}`,
      `--pid-file=${join(directory, 'mariadb.pid')}`,
      `--init-file=${onStart}`,
      ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    ]
    const mariaDb = new MariaDb(port, directory, {
      name: 'MariaDB',
      spawn: (log) => spawnOwned(program, args, ['ignore', log, log]),
      answers: async () => (await firstBytes(port))[4] === protocolVersion,
      crash: 'SIGKILL',
    })
    await startOrStop(mariaDb)
    return mariaDb
  }

  get url(): string {
    return `mysql://${this.user}@127.0.0.1:${this.port}/${this.database}`
  }
}
