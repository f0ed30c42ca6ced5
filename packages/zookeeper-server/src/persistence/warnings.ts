import type { EventEmitter } from 'node:events'
import type { DataDirectoryEvents } from './events.ts'
import { describeIntact } from './log-damage.ts'

/**
 * Reports the events of a data directory as process warnings. Most of them occur before the server exists
 * whose events a caller could listen to.
 */
export function warnOf(events: EventEmitter<DataDirectoryEvents>, path: string): void {
  events.on('lock:inherited', ({ pid }) => {
    warn('ZKS_LOCK_INHERITED', `the server with pid ${pid} ended without closing ${path}`)
  })
  events.on('log:cut', ({ file, offset, bytes, problem, lastZxid }) => {
    warn(
      'ZKS_LOG_CUT',
      `Dropped the last ${bytes} bytes of ${file} in ${path}, from offset ${offset} (${problem}): an ` +
        'incomplete record with no intact record behind it. The log now ends with transaction ' +
        `${lastZxid}. A crash during a write leaves this, and no client got an answer to that ` +
        'write. If no server crashed, the file was truncated or damaged: compare it with a backup',
    )
  })
  events.on('data:lost', ({ file, offset, problem, intact, lastZxid, keptAs }) => {
    warn(
      'ZKS_DATA_LOST',
      `Started in ${path} with the state of transaction ${lastZxid}, because of acceptDataLoss: ` +
        `${file} is damaged at offset ${offset} (${problem}), and everything from there on was ` +
        `dropped, with ${describeIntact(intact)} in it. The damaged files are kept as ` +
        keptAs.join(', '),
    )
  })
  events.on('snapshot:set-aside', ({ renamedTo, error }) => {
    const what = `${error.message}. It was renamed to ${renamedTo} in ${path}`
    warn('ZKS_SNAPSHOT_SET_ASIDE', `${what}; an older snapshot and the log gave the same state`)
  })
  events.on('snapshot:failed', ({ error }) => {
    warn(
      'ZKS_SNAPSHOT_FAILED',
      `could not take a snapshot in ${path}: ${error.message}. The log continues`,
    )
  })
}

function warn(code: string, message: string): void {
  process.emitWarning(message, { code })
}
