import { type JuteWriter, writeConnectResponse } from '@elasticjob/zookeeper/protocol'
import type { SnapshotSession } from '../transaction.ts'

/** How many bytes the password of a session has. */
export const passwordLength = 16

const noPassword = new Uint8Array(passwordLength)

/**
 * An id that no session had before: milliseconds since the epoch are in the middle, so that also a
 * server that has lost its data does not give out old ones.
 */
export function nextSessionId(last: bigint, now: number): bigint {
  const time = BigInt.asUintN(40, BigInt(Math.floor(now)))
  const first = (1n << 56n) | (time << 16n)
  return last < first ? first : last + 1n
}

/**
 * Answers a request for a session: with it, or that it has expired. Clients before 3.4 are not told
 * whether the server is read-only; the field is unknown to them.
 */
export function writeHandshake(
  writer: JuteWriter,
  session: SnapshotSession | undefined,
  isOldClient: boolean,
): void {
  const mark = writer.beginFrame()
  writeConnectResponse(writer, {
    timeout: session?.timeout ?? 0,
    sessionId: session?.sessionId ?? 0n,
    password: session?.password ?? noPassword,
    readOnly: isOldClient ? undefined : false,
  })
  writer.endFrame(mark)
}
