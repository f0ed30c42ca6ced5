import type { ByteStream } from '@elasticjob/zookeeper'

/** A client's stream of bytes, as the server holds it. */
export interface ServerStream extends ByteStream {
  /** Bytes that were written and have not left yet. */
  readonly unsent: number
  /** Stops taking bytes from the client, until `resume`. */
  pause(): void
  resume(): void
}

/** What a stream tells the server. */
export interface ServerStreamHandler {
  received(chunk: Uint8Array): void
  /** All that was written has left. */
  drained(): void
  /** The stream is over. Told exactly once. */
  closed(): void
}
