/** What the conformance suite needs of a registry beside its contract: faults as verbs. */
import type { RegistryClient } from '../../packages/core/src/registry/registry-client.ts'

export interface TestedRegistry {
  /** Connects a client with a session of its own. */
  connect(options?: TestedClientOptions): Promise<TestedClient>
  stop(): Promise<void>
}

export interface TestedClientOptions {
  /**
   * The session timeout in milliseconds, which the registry accepts as it is.
   * @default 15000
   */
  readonly sessionTimeout?: number
}

export interface TestedClient {
  readonly client: RegistryClient
  /** Takes the connection away and lets no new one through; the client knows on return. */
  cut(): Promise<void>
  /** Lets a client that was cut off connect again. */
  restore(): Promise<void>
  /** The next transaction is carried out, and the connection is lost in place of its answer. */
  loseNextAnswer(): void
  /** Ends the session of a client that is cut off: the registry then deletes its ephemeral nodes. */
  expire(): Promise<void>
  /** Closes the client and whatever its faults needed. */
  close(): Promise<void>
}
