import { digestIdentity } from '../../src/acl/schemes.ts'

/** A server whose own initiative comes when it is told to, not by the clock. */
export interface SteerableServer {
  readonly name: string
  readonly port: number
  /** Ends a session as if nothing had been heard of its client for too long. */
  expire(sessionId: bigint): Promise<void>
  /** Cuts the connection of a session. */
  drop(sessionId: bigint): Promise<void>
  /** Deletes empty containers and nodes past their time to live. */
  cleanUp(): Promise<void>
  stop(): Promise<void>
}

const superUser = 'super:secret'

/** What both servers are told, and the fuzzer knows of them. */
export const settings = Object.freeze({
  /** Nothing may end by itself in the course of a run, whatever timeout a client asks for. */
  minSessionTimeout: 3_600_000,
  maxSessionTimeout: 7_200_000,
  tickTime: 2_000,
  superUser,
  superDigest: digestIdentity(superUser),
})
