import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { exited, spawnOwned } from '../harness/owned-process.ts'
import { debianPython } from './kazoo.ts'
import type { TestedServer } from './servers.ts'

/** How one test of kazoo's ended. */
export interface KazooOutcome {
  /** Such as `test_client::TestClient::test_create`. */
  readonly test: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped, in pytest's words. */
  readonly reason: string
  readonly usesServer: boolean
  /** How often it was run until it ended so. */
  readonly attempts: number
}

/** Which of kazoo's tests are run. */
export interface KazooSelection {
  /** Modules of `kazoo.tests`, such as `test_client`, or single tests, as outcomes name them. */
  readonly tests: readonly string[]
  /**
   * Which of those, as an expression of `pytest -k`.
   * @default all
   */
  readonly names?: string
}

/** A test has ended, or wants something of the server. */
type Message = Omit<KazooOutcome, 'attempts'> | { readonly server: 'run' | 'stop' }

const pluginFolder = fileURLToPath(new URL('kazoo/', import.meta.url))
const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'started_servers']
const reportFd = 3
const answerFd = 4

/** How often a test may fail before it has failed. */
const maxAttempts = 3

/**
 * Runs selections of kazoo's own suite against a server, side by side. Some of the tests count on
 * things that happen within a tenth of a second, on any machine: those that fail are run again,
 * one after the other.
 */
export async function runKazooTests(
  server: TestedServer,
  selections: readonly KazooSelection[],
): Promise<KazooOutcome[]> {
  const runs = await Promise.all(selections.map((selection) => runOnce(server, selection, 1)))
  const outcomes = new Map(runs.flat().map((outcome) => [outcome.test, outcome]))
  for (let attempt = 2; attempt <= maxAttempts; attempt++) {
    const failed = [...outcomes.values()].filter(({ outcome }) => outcome === 'failed')
    if (failed.length === 0) break
    const again = await runOnce(server, { tests: failed.map(({ test }) => test) }, attempt)
    for (const outcome of again) outcomes.set(outcome.test, outcome)
  }
  return [...outcomes.values()]
}

async function runOnce(
  server: TestedServer,
  { tests, names }: KazooSelection,
  attempts: number,
): Promise<KazooOutcome[]> {
  const child = spawnOwned(
    'env',
    [
      `SERVER=${server.connectString}`,
      `REPORT_FD=${reportFd}`,
      `ANSWER_FD=${answerFd}`,
      `PYTHONPATH=${pluginFolder}`,
      // Neither here nor in Debian's folder is anything to be left behind.
      'PYTHONDONTWRITEBYTECODE=1',
      debianPython,
      ...pytest,
      ...(names === undefined ? [] : ['-k', names]),
      '--pyargs',
      ...tests.map((test) => `kazoo.tests.${test}`),
    ],
    ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  )
  const outcomes: KazooOutcome[] = []
  const words = lastStates(child)
  for await (const line of createInterface(child.stdio[reportFd] as Duplex)) {
    const message = JSON.parse(line) as Message
    if ('test' in message) {
      outcomes.push({ ...message, attempts })
    } else {
      await (message.server === 'run' ? server.proceed() : server.halt())
      ;(child.stdio[answerFd] as Duplex).write('done\n')
    }
  }
  await exited(child)
  // 1 says that there are tests that failed.
  if (child.exitCode !== 0 && child.exitCode !== 1) {
    throw new Error(`pytest ended with ${child.exitCode}:\n${words()}`)
  }
  return outcomes
}

/** What the process printed last. */
function lastStates(child: ChildProcess): () => string {
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      words = `${words}${chunk.toString()}`.slice(-4_000)
    })
  }
  return () => words
}
