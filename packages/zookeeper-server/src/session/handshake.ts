import { type JuteWriter, writeConnectResponse } from '@elasticjob/zookeeper/protocol'
import type { SnapshotSession } from '../transaction.ts'

export const passwordLength = 16

const noPassword = new Uint8Array(passwordLength)

/**
 * A new session id. It contains milliseconds since the epoch, so that even a server that has lost its data
 * does not repeat old ids.
 */
export function nextSessionId(last: bigint, now: number): bigint {
  const time = BigInt.asUintN(40, BigInt(Math.floor(now)))
  const first = (1n << 56n) | (time << 16n)
  return last < first ? first : last + 1n
}

/**
 * Answers a session request: with the session, or with its expiry. The answer to clients before 3.4 omits the
 * read-only flag, which they do not know.
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
