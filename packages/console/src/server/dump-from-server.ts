/**
 * Asks an instance itself what it knows of a job, on the port that 1.x and 2.x have for it. Only where the
 * registry says that there is one: an address and a port of the asker's choice would make the console a way
 * into the network that it stands in.
 */
import { connect } from 'node:net'

import { say, type SentenceValue } from '@elasticjob/core'
import type { Clock } from '@elasticjob/zookeeper'

import type { JobDetail } from '../contract/jobs.ts'
import { ConsoleError } from '../errors.ts'

export interface DumpTarget {
  readonly server: string
  readonly port: number
  readonly job: string
}

/** How long it may take, in milliseconds. */
const timeout = 5000
const longestAnswer = 4 * 1024 * 1024
/** So many at once, from whomever. */
const mostAtOnce = 4
let underWay = 0

export async function dumpFromServer(
  job: JobDetail | undefined,
  target: DumpTarget,
  clock: Clock,
): Promise<string> {
  if (job === undefined) {
    throw new ConsoleError(
      'CONSOLE_NOT_FOUND',
      say`there is no job "${target.job}" in this namespace`,
    )
  }
  requireListed(job, target)
  if (underWay >= mostAtOnce) {
    throw new ConsoleError('CONSOLE_BUSY', say`too many dumps are being asked for; try again`, {
      retryAfter: 1,
    })
  }
  underWay += 1
  try {
    return await ask(target, clock)
  } finally {
    underWay -= 1
  }
}

function requireListed({ jobName, configuration, servers }: JobDetail, target: DumpTarget): void {
  const port = Number(configuration?.props['monitor.port'] ?? -1)
  const hasServer = servers.some(
    ({ server, instances }) => server === target.server && instances.length > 0,
  )
  if (hasServer && port === target.port) return
  const listed = port > 0 ? say`port ${port}` : say`no port`
  throw new ConsoleError(
    'CONSOLE_DUMP_REFUSED',
    hasServer
      ? say`job ${jobName} has ${listed} for dumps in the registry (props: monitor.port), and not ${target.port}`
      : say`no instance of job ${jobName} is on ${target.server}`,
  )
}

function ask({ server, port }: DumpTarget, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const socket = connect({ host: server, port, autoSelectFamily: false })
    const timer = clock.setTimer(() => fail(say`no answer within ${timeout} ms`), timeout)
    const fail = (reason: SentenceValue): void => {
      timer.cancel()
      socket.destroy()
      reject(new ConsoleError('CONSOLE_DUMP_FAILED', say`${server}:${port}: ${reason}`))
    }
    socket.on('connect', () => socket.write('dump\n'))
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > longestAnswer) fail(say`the answer is longer than ${longestAnswer} bytes`)
    })
    socket.on('error', (error) => fail(error.message))
    socket.on('end', () => {
      timer.cancel()
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}
