/**
 * Requests the dump of a job from an instance, on the port that 1.x and 2.x have for it. Only at an address and a
 * port that the registry lists for the job: otherwise a caller could use the console to reach any host in its
 * network.
 */
import { connect } from 'node:net'

import type { Clock, MessageValue } from '@elasticjob/core'
import { maskText, maskYaml } from '@elasticjob/core/internal'

import type { JobDetail } from '../contract/jobs.ts'
import { ConsoleError } from '../errors.ts'
import { message } from '../message.ts'

export interface DumpTarget {
  readonly server: string
  readonly port: number
  readonly job: string
}

/** The timeout, in milliseconds. */
const timeout = 5000
const longestAnswer = 4 * 1024 * 1024
/** The maximum number of concurrent requests. */
const mostAtOnce = 4
let underWay = 0

export async function dumpFromServer(
  job: JobDetail | undefined,
  target: DumpTarget,
  clock: Clock,
): Promise<string> {
  if (job === undefined) {
    throw new ConsoleError('CONSOLE_NOT_FOUND', message('job-unknown', { jobName: target.job }))
  }
  requireListed(job, target)
  if (underWay >= mostAtOnce) {
    throw new ConsoleError('CONSOLE_BUSY', message('dump-busy'), {
      retryAfter: 1,
    })
  }
  underWay += 1
  try {
    return maskDump(await ask(target, clock))
  } finally {
    underWay -= 1
  }
}

/** A Java instance masks nothing: the data of a configuration node are parsed and masked here. */
function maskDump(text: string): string {
  return text
    .split(/^(?=\/)/m)
    .map((entry) => {
      const [, path, data] = /^(\S*\/config \| )(.*)$/s.exec(entry) ?? []
      return path === undefined || data === undefined ? maskText(entry) : path + maskYaml(data)
    })
    .join('')
}

function requireListed({ jobName, configuration, servers }: JobDetail, target: DumpTarget): void {
  const port = Number(configuration?.props['monitor.port'] ?? -1)
  const hasServer = servers.some(
    ({ server, instances }) => server === target.server && instances.length > 0,
  )
  if (hasServer && port === target.port) return
  const listed = port > 0 ? message('dump-port', { port }) : message('dump-port-absent')
  throw new ConsoleError(
    'CONSOLE_DUMP_REFUSED',
    hasServer
      ? message('dump-port-mismatch', { jobName, listed, port: target.port })
      : message('job-not-on-server', { jobName, server: target.server }),
  )
}

function ask({ server, port }: DumpTarget, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const socket = connect({ host: server, port, autoSelectFamily: false })
    const timer = clock.setTimer(
      () => fail(message('dump-timeout', { milliseconds: timeout })),
      timeout,
    )
    const fail = (reason: MessageValue): void => {
      timer.cancel()
      socket.destroy()
      reject(
        new ConsoleError('CONSOLE_DUMP_FAILED', message('dump-failed', { server, port, reason })),
      )
    }
    socket.on('connect', () => socket.write('dump\n'))
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > longestAnswer) fail(message('dump-too-long', { bytes: longestAnswer }))
    })
    socket.on('error', (error) => fail(error.message))
    socket.on('end', () => {
      timer.cancel()
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('utf8'))
    })
  })
}
