import type { EventEmitter } from 'node:events'
import type { ServerEvents } from './events.ts'

/** Reports rejected writes as a process warning; otherwise only their clients would know. */
export function warnOfQuota(events: EventEmitter<ServerEvents>): void {
  events.on('quota:exceeded', ({ sessionId, bytes, maxDataBytes, nodes, maxNodes }) => {
    process.emitWarning(
      `Rejected a write of session 0x${sessionId.toString(16)} with QUOTA_EXCEEDED: the tree has ` +
        `${nodes} nodes (maxNodes ${maxNodes}) and ${bytes} bytes (maxDataBytes ${maxDataBytes}). ` +
        'Delete nodes, or raise the limit; if neither is reached, a quota below /zookeeper/quota is ' +
        'used up. Further rejections within a minute are not reported',
      { code: 'ZKS_QUOTA_EXCEEDED' },
    )
  })
}
