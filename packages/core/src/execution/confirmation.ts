import { isZooKeeperError, type MultiReadResult } from '@elasticjob/zookeeper'

/** Whether what is read confirms something. Unknown is no confirmation. */
export async function isConfirmed(
  answer: Promise<readonly MultiReadResult[]>,
  confirms: (results: readonly MultiReadResult[]) => boolean,
): Promise<boolean> {
  try {
    return confirms(await answer)
  } catch (error) {
    if (!isZooKeeperError(error)) throw error
    return false
  }
}
