import type { ChildProcess } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { fourLetter, serverMode } from './four-letter.ts'
import type { ServerMode } from './four-letter.ts'
import { freePort } from './free-port.ts'
import { classpaths, spawnJava } from './java.ts'
import { exited, hasExited, ownedDirectory, removeOwnedDirectory } from './owned-process.ts'
import { threadsStopped } from './process-state.ts'
import { zooKeeperConfig } from './zookeeper-config.ts'
import type { ZooKeeperOptions } from './zookeeper-config.ts'

/** How long a server may take to serve: a second or two, ten times that on a machine under load. */
const readyTimeoutMs = 30_000

/**
 * One real server, with its data and its log in a directory of its own. It may die and come back
 * many times on the same port and the same data; `stop()` is final.
 */
export class ZooKeeperProcess {
  readonly port: number
  readonly directory: string
  readonly #options: ZooKeeperOptions
  readonly #myId: number | undefined
  #child: ChildProcess | undefined

  private constructor(
    port: number,
    directory: string,
    options: ZooKeeperOptions,
    myId: number | undefined,
  ) {
    this.port = port
    this.directory = directory
    this.#options = options
    this.#myId = myId
  }

  /** Writes the server's files without starting it. A member of an ensemble has an id. */
  static async create(options: ZooKeeperOptions = {}, myId?: number): Promise<ZooKeeperProcess> {
    const port = options.port ?? (await freePort())
    const directory = await ownedDirectory('zookeeper')
    const server = new ZooKeeperProcess(port, directory, options, myId)
    await writeFile(
      join(directory, 'zoo.cfg'),
      zooKeeperConfig({ ...options, port }, server.#dataDirectory),
    )
    return server
  }

  get connectString(): string {
    return `127.0.0.1:${this.port}`
  }

  /** The process that runs now, or that ran last. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  get running(): boolean {
    return this.#child !== undefined && !hasExited(this.#child)
  }

  get #dataDirectory(): string {
    return join(this.directory, 'data')
  }

  get #backupDirectory(): string {
    return join(this.directory, 'backup')
  }

  get #logFile(): string {
    return join(this.directory, 'server.log')
  }

  /** Starts the JVM and does not wait: members of an ensemble serve only together. */
  spawn(): void {
    if (this.running) return
    mkdirSync(this.#dataDirectory, { recursive: true })
    if (this.#myId !== undefined)
      writeFileSync(join(this.#dataDirectory, 'myid'), `${this.#myId}\n`)
    const log = openSync(this.#logFile, 'a')
    this.#child = spawnJava({
      mainClass: 'org.apache.zookeeper.server.quorum.QuorumPeerMain',
      classpath: classpaths.server,
      args: [join(this.directory, 'zoo.cfg')],
      properties: {
        'org.slf4j.simpleLogger.defaultLogLevel': 'warn',
        'org.slf4j.simpleLogger.showDateTime': 'true',
        ...this.#options.properties,
      },
      ...(this.#options.maxHeap === undefined ? {} : { maxHeap: this.#options.maxHeap }),
      ...(this.#options.launcher === undefined ? {} : { launcher: this.#options.launcher }),
      stdio: ['ignore', log, log],
    })
    closeSync(log)
  }

  /** Resolves with the server's role when it serves; rejects with its log when it does not. */
  async ready(): Promise<ServerMode> {
    try {
      return await eventually(
        () => {
          if (!this.running) throw new Error('the process has ended')
          return this.mode()
        },
        { what: 'a serving ZooKeeper', timeoutMs: readyTimeoutMs },
      )
    } catch (cause) {
      throw new Error(
        `ZooKeeper on port ${this.port} does not serve; its log ends:\n${this.logTail()}`,
        { cause },
      )
    }
  }

  async start(): Promise<ServerMode> {
    this.spawn()
    return this.ready()
  }

  /** Ends the process as a crash does, and keeps its data. */
  async kill(): Promise<void> {
    if (this.#child === undefined) return
    this.#child.kill('SIGKILL')
    await exited(this.#child)
  }

  /** Comes back on the same port and what data there is; ends the process before if it runs. */
  async restart(): Promise<ServerMode> {
    await this.kill()
    return this.start()
  }

  /** Freezes the process: its sockets stay open and the kernel still accepts connections for it. */
  async pause(): Promise<void> {
    const child = this.#runningChild()
    child.kill('SIGSTOP')
    await eventually(() => threadsStopped(child.pid) || undefined, {
      what: 'every thread of a paused server stopped',
      intervalMs: 1,
    })
  }

  /** Thaws a paused process; it goes on in the middle of what it was doing. */
  resume(): void {
    this.#runningChild().kill('SIGCONT')
  }

  /** Ends the process and deletes its data: a server that comes back knows nothing. */
  async wipe(): Promise<void> {
    await this.kill()
    rmSync(this.#dataDirectory, { recursive: true, force: true })
  }

  /** Copies the data as they are now, as an operator does who keeps backups; an older backup goes. */
  backUp(): void {
    rmSync(this.#backupDirectory, { recursive: true, force: true })
    cpSync(this.#dataDirectory, this.#backupDirectory, { recursive: true })
  }

  /** Ends the process and puts the backup in the place of its data: all that came since is lost. */
  async restore(): Promise<void> {
    await this.wipe()
    cpSync(this.#backupDirectory, this.#dataDirectory, { recursive: true })
  }

  /** Ends the process for good and removes its directory. May be called twice. */
  async stop(): Promise<void> {
    await this.kill()
    removeOwnedDirectory(this.directory)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  fourLetter(shardState: string): Promise<string> {
    return fourLetter(this.port, shardState)
  }

  /** The role of the server, or undefined while it does not serve. */
  mode(): Promise<ServerMode | undefined> {
    return serverMode(this.port)
  }

  logTail(lines = 30): string {
    if (!existsSync(this.#logFile)) return '(no log)'
    return readFileSync(this.#logFile, 'utf8').split('\n').slice(-lines).join('\n')
  }

  #runningChild(): ChildProcess & { readonly pid: number } {
    const child = this.#child
    if (child?.pid === undefined || hasExited(child)) {
      throw new Error(`ZooKeeper on port ${this.port} is not running`)
    }
    return child as ChildProcess & { readonly pid: number }
  }
}
