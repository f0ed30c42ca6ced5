import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly isEncrypted: boolean
  /** The message as received. */
  readonly content: string
}

const login = { user: 'jobs', pass: 'correct horse' }

/** A mail server on loopback that stores received mails; options override its defaults. */
export class MailServer implements AsyncDisposable {
  static readonly login = login
  readonly received: ReceivedMail[] = []
  readonly #server: SMTPServer
  readonly #waiting: ((mail: ReceivedMail) => void)[] = []

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      // Without it the server would refuse a login without TLS.
      allowInsecureAuth: true,
      closeTimeout: 1,
      disableReverseLookup: true,
      onAuth: ({ username, password }, _session, callback) => {
        if (username === login.user && password === login.pass) callback(null, { user: username })
        else callback(new Error('Invalid username or password'))
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          const mail = {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: session.user as string | undefined,
            isEncrypted: session.secure,
            content: Buffer.concat(chunks).toString(),
          }
          this.received.push(mail)
          callback(null)
          for (const resolve of this.#waiting.splice(0)) resolve(mail)
        })
      },
      ...options,
    })
    // Some tests disconnect in the middle.
    this.#server.on('error', () => {})
  }

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const mail = new MailServer(options)
    mail.#server.listen(0, '127.0.0.1')
    await once(mail.#inner, 'listening')
    return mail
  }

  get port(): number {
    return (this.#inner.address() as AddressInfo).port
  }

  /** The properties of a job that uses this server. */
  props(more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
    return {
      'email.host': '127.0.0.1',
      'email.port': String(this.port),
      'email.useSsl': 'false',
      'email.username': login.user,
      'email.password': login.pass,
      'email.from': 'Jobs <jobs@example.com>',
      'email.to': 'ops@example.com',
      ...more,
    }
  }

  next(): Promise<ReceivedMail> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  get #inner(): Server {
    return this.#server.server
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
