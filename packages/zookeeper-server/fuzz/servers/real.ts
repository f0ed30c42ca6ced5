import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../../test/zookeeper/harness/free-port.ts'
import {
  classpaths,
  compileJava,
  javaAvailable,
  spawnJava,
} from '../../../../test/zookeeper/harness/java.ts'
import {
  exited,
  ownedDirectory,
  removeOwnedDirectory,
} from '../../../../test/zookeeper/harness/owned-process.ts'
import { zooKeeperConfig } from '../../../../test/zookeeper/harness/zookeeper-config.ts'
import { settings, type SteerableServer } from './steerable-server.ts'

export { javaAvailable as realServerAvailable }

/** The interval of the server's own container clean-up: longer than a run. */
const never = 86_400_000

/** A real ZooKeeper in its own process. */
export class RealServer implements SteerableServer {
  readonly name = 'real'
  readonly port: number
  readonly #directory: string
  readonly #child: ChildProcess
  #lastStates = ''
  #answer: { resolve(): void; reject(error: Error): void } | undefined

  private constructor(port: number, directory: string, child: ChildProcess) {
    this.port = port
    this.#directory = directory
    this.#child = child
    const { stdout, stderr } = child
    if (stdout === null || stderr === null) throw new Error('the process has no pipes')
    stderr.on('data', (chunk: Buffer) => {
      this.#lastStates = `${this.#lastStates}${chunk.toString()}`.slice(-4_000)
    })
    createInterface(stdout).on('line', () => this.#answer?.resolve())
    child.once('close', () => {
      this.#answer?.reject(new Error(`ZooKeeper has ended; its last output:\n${this.#lastStates}`))
    })
  }

  static async start(): Promise<RealServer> {
    const source = fileURLToPath(new URL('java/SteeredServer.java', import.meta.url))
    const classes = await compileJava([source], classpaths.server)
    const port = await freePort()
    const directory = await ownedDirectory('fuzz')
    const { minSessionTimeout, maxSessionTimeout, tickTime, superDigest } = settings
    const options = { port, minSessionTimeout, maxSessionTimeout, tickTime }
    const file = join(directory, 'zoo.cfg')
    await writeFile(file, zooKeeperConfig(options, join(directory, 'data')))
    const child = spawnJava({
      mainClass: 'SteeredServer',
      classpath: [classes, ...classpaths.server],
      args: [file],
      properties: {
        'org.slf4j.simpleLogger.defaultLogLevel': 'off',
        'znode.container.checkIntervalMs': `${never}`,
        // Without a pause between two deletions.
        'znode.container.maxPerMinute': '1000000',
        'zookeeper.DigestAuthenticationProvider.superDigest': superDigest,
        'zookeeper.enforceQuota': 'true',
      },
      stdio: 'pipe',
    })
    const server = new RealServer(port, directory, child)
    await server.#done()
    return server
  }

  expire(sessionId: bigint): Promise<void> {
    return this.#command(`expire ${sessionId}`)
  }

  drop(sessionId: bigint): Promise<void> {
    return this.#command(`drop ${sessionId}`)
  }

  cleanUp(): Promise<void> {
    return this.#command('clean-up')
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await exited(this.#child)
    removeOwnedDirectory(this.#directory)
  }

  #command(line: string): Promise<void> {
    this.#child.stdin?.write(`${line}\n`)
    return this.#done()
  }

  #done(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject }
    })
  }
}
