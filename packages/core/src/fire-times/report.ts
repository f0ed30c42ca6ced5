import type { Emit } from '../events.ts'
import type { PassedFires } from '../job-tree/shard-state.ts'

/** Reports fire times that no run covers. */
export function reportFires(
  emit: Emit,
  jobName: string,
  shardingItem: number,
  fires: readonly PassedFires[],
): void {
  for (const { first, last, reason, isSkipped } of fires) {
    const payload = { jobName, shardingItem, first, fireTime: last, reason }
    if (isSkipped === true) emit('fire:skipped', payload)
    else emit('fire:missed', payload)
  }
}
