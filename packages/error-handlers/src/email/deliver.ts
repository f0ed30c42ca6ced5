/** One mail to one server, over a connection of its own that can be cut at any time. */
import { format } from 'node:util'

import SMTPConnection from 'nodemailer/lib/smtp-connection'

import { detailOf, NoticeError } from '../errors.ts'
import type { EmailSettings } from './settings.ts'

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  /** The message as it goes over the wire. */
  readonly content: Buffer
}

interface Failure extends Error {
  /** Nodemailer's name for what went wrong. */
  readonly code?: string | undefined
  /** What the server answered. */
  readonly responseCode?: number | undefined
}

/** Of those without an answer, the ones that say no because of what the server has said before. */
const refusals = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE'])

/** Resolves when the server has taken the mail for everybody. */
export async function deliver(
  mail: Mail,
  settings: EmailSettings,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const connection = new SMTPConnection({
    host: settings.host,
    port: settings.port,
    secure: settings.useSsl,
    requireTLS: settings.requireTls,
    tls: { rejectUnauthorized: !settings.trustsServer },
    connectionTimeout: settings.connectTimeout,
    greetingTimeout: settings.readTimeout,
    socketTimeout: settings.readTimeout,
    ...(settings.debug ? { debug: true, logger: loggerOf(log) } : {}),
  })
  try {
    const { rejected } = await converse(connection, mail, settings, signal)
    if (rejected.length === 0) return
    const message = `${settings.host} took it, but not for ${rejected.join(', ')}`
    throw new NoticeError('NOTICE_REFUSED', message)
  } finally {
    // A socket that was only ended would be open for as long as the server likes.
    const socket = connection._socket
    connection.close()
    if (socket) socket.destroy()
  }
}

function converse(
  connection: SMTPConnection,
  { from, to, content }: Mail,
  { host, login }: EmailSettings,
  signal: AbortSignal,
): Promise<{ readonly rejected: readonly string[] }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Failure): void => reject(explained(error, host))
    const cut = (): void => reject(new Error('it was given up', { cause: signal.reason }))
    const send = (): void => {
      connection.send({ from, to: [...to], size: content.length }, content, (error, sent) => {
        if (error) fail(error)
        else resolve({ rejected: sent?.rejected ?? [] })
      })
    }
    if (signal.aborted) return cut()
    signal.addEventListener('abort', cut, { once: true })
    connection.on('error', fail)
    connection.once('end', () => fail(new Error('the connection was closed')))
    connection.connect((error) => {
      if (error) return fail(error)
      if (login === undefined) return send()
      connection.login({ user: login.user, pass: login.pass }, (refused) =>
        refused ? fail(refused) : send(),
      )
    })
  })
}

function explained(error: Failure, host: string): NoticeError {
  const isRefused = error.responseCode !== undefined || refusals.has(error.code ?? '')
  const code = isRefused ? 'NOTICE_REFUSED' : 'NOTICE_UNREACHABLE'
  return new NoticeError(code, `${host}: ${detailOf(error)}`)
}

type LogLine = (entry: unknown, message: string, ...values: unknown[]) => void

/** What nodemailer writes of the conversation, with the password taken out by it, and again by `log`. */
function loggerOf(log: (line: string) => void): Record<string, LogLine> {
  const line: LogLine = (_, message, ...values) => log(format(message, ...values))
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  return Object.fromEntries(levels.map((level) => [level, line]))
}
