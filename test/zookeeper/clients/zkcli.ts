import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { classpaths, spawnJava } from '../harness/java.ts'
import { exited } from '../harness/owned-process.ts'

/** What Debian's zkCli said. */
export interface Transcript {
  /** What the commands printed, in their order. */
  readonly output: readonly string[]
  /** What they printed as errors, in their order; some successes are among them. */
  readonly errors: readonly string[]
  /**
   * The events of watches and of the session, in their order. A thread of its own prints them, so
   * that nothing can be said about their place among the rest, with any server.
   */
  readonly events: readonly string[]
  readonly exitCode: number | null
}

export interface ZkCliScript {
  readonly commands: readonly string[]
  /** The event after which zkCli is told to quit; earlier, it would swallow the last events. */
  readonly lastEvent: string
}

/** Feeds commands to Debian's zkCli, as a shell script does. */
export async function runZkCli(
  connectString: string,
  { commands, lastEvent }: ZkCliScript,
): Promise<Transcript> {
  const child = spawnJava({
    mainClass: 'org.apache.zookeeper.ZooKeeperMain',
    classpath: classpaths.client,
    args: ['-server', connectString],
    stdio: 'pipe',
  })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) {
    throw new Error('the process has no pipes')
  }
  // A process that ends too early is told by its exit code and by what it did not print.
  stdin.on('error', () => undefined)
  const output: string[] = []
  const errors: string[] = []
  createInterface(stderr).on('line', (line) => errors.push(masked(line)))
  const events: string[] = []
  stdin.write(commands.map((command) => `${command}\n`).join(''))
  for await (const line of createInterface(stdout)) {
    if (line.startsWith('WatchedEvent')) {
      events.push(line)
      if (line.includes(lastEvent)) stdin.end('quit\n')
    } else if (line !== '' && line !== 'WATCHER::') {
      output.push(masked(line))
    }
  }
  if (!stderr.closed) await once(stderr, 'close')
  await exited(child)
  return { output, errors, events: events.filter(isCompared), exitCode: child.exitCode }
}

/** Whether the end of its session is still printed depends on how fast zkCli itself ends. */
function isCompared(event: string): boolean {
  return !event.includes('state:Closed')
}

/**
 * Without what has to differ between two servers: their ports, the time of day, and the ids of
 * sessions. Zxids stay: equal commands use them up equally.
 */
function masked(line: string): string {
  return line
    .replace(/^(Connecting to 127\.0\.0\.1:)\d+$/, '$1(port)')
    .replace(/^([cm]time = ).*/, '$1(time)')
    .replace(/^(ephemeralOwner = 0x)[0-9a-f]{2,}$/, '$1(session)')
}
