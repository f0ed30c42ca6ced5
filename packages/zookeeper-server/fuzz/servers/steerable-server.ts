import { digestIdentity } from '../../src/acl/schemes.ts'

/** A server whose own actions happen on request, not by the clock. */
export interface SteerableServer {
  readonly name: string
  readonly port: number
  /** Expires a session as if its client had been silent for too long. */
  expire(sessionId: bigint): Promise<void>
  /** Closes the connection of a session. */
  drop(sessionId: bigint): Promise<void>
  /** Deletes empty containers and nodes past their TTL. */
  cleanUp(): Promise<void>
  stop(): Promise<void>
}

const superUser = 'super:secret'

/** The common settings of both servers, which the fuzzer relies on. */
export const settings = Object.freeze({
  /** Nothing may expire by itself during a run, whatever timeout a client requests. */
  minSessionTimeout: 3_600_000,
  maxSessionTimeout: 7_200_000,
  tickTime: 2_000,
  superUser,
  superDigest: digestIdentity(superUser),
})
