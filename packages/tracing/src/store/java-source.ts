import type { RunSource } from '@elasticjob/core'

/** The values of Java's column `execution_source`. */
export type JavaExecutionSource = 'NORMAL_TRIGGER' | 'MISFIRE' | 'FAILOVER'

/** Java has no source for a manual run. */
export function javaSourceOf(source: RunSource): JavaExecutionSource {
  if (source === 'misfire') return 'MISFIRE'
  return source === 'failover' ? 'FAILOVER' : 'NORMAL_TRIGGER'
}
