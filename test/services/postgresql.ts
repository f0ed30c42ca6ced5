import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../zookeeper/harness/free-port.ts'
import { ownedDirectory, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { ServiceProcess, startOrStop } from './service-process.ts'

export interface PostgreSqlOptions {
  /** Settings of postgresql.conf that differ from PostgreSQL's own defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Words before the program, such as those that bind it to a core. */
  readonly launcher?: readonly string[]
}

/** Debian keeps every version's programs in a directory of its own. */
const versionsDirectory = '/usr/lib/postgresql'

/** The user that Debian makes, for PostgreSQL refuses to run as root. */
const unprivileged = 'postgres'

/** Whether this machine has PostgreSQL; `npm run setup:databases` installs it. */
export function postgreSqlAvailable(): boolean {
  return programs() !== undefined
}

/** Such as `15.18`. */
export function postgreSqlVersion(): string {
  const text = execFileSync(join(programs() ?? '', 'postgres'), ['--version'], { encoding: 'utf8' })
  return /\d+[\d.]*/.exec(text)?.[0] ?? 'unknown'
}

/** A real PostgreSQL on a free loopback port, with an empty database and a user without a password. */
export class PostgreSql extends ServiceProcess {
  readonly user = 'postgres'
  readonly database = 'postgres'

  /** Resolves when it serves. */
  static async start({
    settings = {},
    launcher = [],
  }: PostgreSqlOptions = {}): Promise<PostgreSql> {
    const directoryOfPrograms = programs()
    if (directoryOfPrograms === undefined) throw new Error('PostgreSQL is not installed')
    const port = await freePort()
    const directory = await ownedDirectory('postgresql')
    const isRoot = process.getuid?.() === 0
    if (isRoot) await chown(directory, idOf('-u'), idOf('-g'))
    const data = join(directory, 'data')
    const [initialize, ...initializeArgs] = [
      ...(isRoot ? asUnprivileged : []),
      join(directoryOfPrograms, 'initdb'),
      `--pgdata=${data}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ]
    await promisify(execFile)(initialize, initializeArgs, { cwd: directory })
    const [program = '', ...args] = [
      ...launcher,
      ...(isRoot ? asUnprivileged : []),
      join(directoryOfPrograms, 'postgres'),
      '-D',
      data,
      ...Object.entries({
        listen_addresses: '127.0.0.1',
        port,
        unix_socket_directories: directory,
        ...settings,
      }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
    const isReady = join(directoryOfPrograms, 'pg_isready')
    const postgreSql = new PostgreSql(port, directory, {
      name: 'PostgreSQL',
      spawn: (log) => spawnOwned(program, args, ['ignore', log, log]),
      answers: () =>
        promisify(execFile)(isReady, ['-h', '127.0.0.1', '-p', String(port)]).then(
          () => true,
          () => false,
        ),
      // An immediate shutdown: nothing is written, and the next start recovers as after a crash. After
      // SIGKILL the processes of connections would live on for a while and keep the next start away.
      crash: 'SIGQUIT',
    })
    await startOrStop(postgreSql)
    return postgreSql
  }

  get url(): string {
    return `postgresql://${this.user}@127.0.0.1:${this.port}/${this.database}`
  }
}

/**
 * Words before a program that make it run as that user. Who changes its user loses the wish to die with
 * its parent, so it is said again.
 */
const asUnprivileged: readonly string[] = [
  '/usr/bin/setpriv',
  '--reuid',
  unprivileged,
  '--regid',
  unprivileged,
  '--clear-groups',
  '--pdeathsig',
  'KILL',
]

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, unprivileged], { encoding: 'utf8' }))
}

/** The directory of the newest version's programs; undefined where there is none. */
function programs(): string | undefined {
  if (!existsSync(versionsDirectory)) return undefined
  return readdirSync(versionsDirectory)
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(versionsDirectory, version, 'bin'))
    .find((directory) => existsSync(join(directory, 'postgres')))
}
