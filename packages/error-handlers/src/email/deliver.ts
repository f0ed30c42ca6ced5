/** Sends one mail to one server, over its own connection that can be closed at any time. */
import { format } from 'node:util'

import SMTPConnection from 'nodemailer/lib/smtp-connection'

import { detailOf, NotificationError } from '../errors.ts'
import type { EmailSettings } from './settings.ts'

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  /** The encoded message. */
  readonly content: Buffer
}

interface Failure extends Error {
  /** Nodemailer's error code. */
  readonly code?: string | undefined
  /** The status code of the server's answer. */
  readonly responseCode?: number | undefined
}

/** The codes without a status code that nevertheless mean a refusal by the server. */
const refusals = new Set(['EAUTH', 'EENVELOPE', 'EMESSAGE'])

/** Resolves when the server has accepted the mail for every recipient. */
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
    const message = `${settings.host} accepted the mail, but not for ${rejected.join(', ')}`
    throw new NotificationError('NOTIFICATION_REFUSED', message)
  } finally {
    // A socket that was only half-closed would stay open for as long as the server likes.
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
    const cut = (): void => reject(new Error('the sending was aborted', { cause: signal.reason }))
    const send = (): void => {
      connection.send({ from, to: [...to], size: content.length }, content, (error, sent) => {
        if (error) fail(error)
        else resolve({ rejected: sent?.rejected ?? [] })
      })
    }
    if (signal.aborted) return cut()
    signal.addEventListener('abort', cut, { once: true })
    connection.on('error', fail)
    connection.once('end', () => fail(new Error('the server closed the connection')))
    connection.connect((error) => {
      if (error) return fail(error)
      if (login === undefined) return send()
      connection.login({ user: login.user, pass: login.pass }, (refused) =>
        refused ? fail(refused) : send(),
      )
    })
  })
}

function explained(error: Failure, host: string): NotificationError {
  const isRefused = error.responseCode !== undefined || refusals.has(error.code ?? '')
  const code = isRefused ? 'NOTIFICATION_REFUSED' : 'NOTIFICATION_UNREACHABLE'
  return new NotificationError(code, `${host}: ${detailOf(error)}`)
}

type LogLine = (entry: unknown, message: string, ...values: unknown[]) => void

/** Nodemailer's protocol log, with the password removed by nodemailer and again by `log`. */
function loggerOf(log: (line: string) => void): Record<string, LogLine> {
  const line: LogLine = (_, message, ...values) => log(format(message, ...values))
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  return Object.fromEntries(levels.map((level) => [level, line]))
}
