import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../zookeeper/harness/free-port.ts'
import { isOnPath } from '../zookeeper/harness/java.ts'
import { ownedDirectory, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { firstBytes } from './first-bytes.ts'
import { ServiceProcess, startOrStop } from './service-process.ts'

export interface RedisOptions {
  /** Settings of redis.conf that differ from Redis' own defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Words before the program, such as those that bind it to a core. */
  readonly launcher?: readonly string[]
}

/** Whether this machine has Redis; `npm run setup:databases` installs it. */
export function redisAvailable(): boolean {
  return isOnPath('redis-server')
}

/** Such as `7.0.15`. */
export function redisVersion(): string {
  const text = execFileSync('redis-server', ['--version'], { encoding: 'utf8' })
  return /v=(\S+)/.exec(text)?.[1] ?? 'unknown'
}

/** A real Redis on a free loopback port. */
export class Redis extends ServiceProcess {
  /** Resolves when it serves. */
  static async start({ settings = {}, launcher = [] }: RedisOptions = {}): Promise<Redis> {
    const port = await freePort()
    const directory = await ownedDirectory('redis')
    const states = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const [program = '', ...args] = [
      ...launcher,
      'redis-server',
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--dir',
      directory,
      '--dbfilename',
      'dump.rdb',
      '--pidfile',
      join(directory, 'redis.pid'),
      ...states,
    ]
    const redis = new Redis(port, directory, {
      name: 'Redis',
      spawn: (log) => spawnOwned(program, args, ['ignore', log, log]),
      answers: async () => (await firstBytes(port, 'PING\r\n')).toString() === '+PONG\r\n',
      crash: 'SIGKILL',
    })
    await startOrStop(redis)
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }
}
