import type { ByteStream } from '@elasticjob/zookeeper'

/** The server's end of a client's byte stream. */
export interface ServerStream extends ByteStream {
  /** The number of bytes written but not sent yet. */
  readonly unsent: number
  /** Stops reading from the client until `resume`. */
  pause(): void
  resume(): void
}

/** Callbacks of a stream to the server. */
export interface ServerStreamHandler {
  received(chunk: Uint8Array): void
  /** Everything written has been sent. */
  drained(): void
  /** The stream ended. Called exactly once. */
  closed(): void
}
