/** A program that is told of failures. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export class Receiver {
  /** The first message that is posted to it. */
  readonly received: Promise<unknown>
  readonly #server: Server

  private constructor() {
    this.#server = createServer()
    this.received = once(this.#server, 'request').then(async ([request, response]) => {
      const body = await text(request as IncomingMessage)
      ;(response as ServerResponse).end()
      return JSON.parse(body) as unknown
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  /** A file with one job, which fails every second and tells of it here. */
  get file(): string {
    const { port } = this.#server.address() as AddressInfo
    return `
jobs:
  told:
    jobType: SCRIPT
    cron: '* * * * * ?'
    shardingTotalCount: 1
    jobErrorHandlerType: WEBHOOK
    props:
      script.command.line: ${process.execPath} --no-such-option
      webhook.url: http://127.0.0.1:${port}/
`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
