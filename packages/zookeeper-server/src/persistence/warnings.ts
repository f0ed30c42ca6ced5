import type { EventEmitter } from 'node:events'
import type { DataDirectoryEvents } from './events.ts'

/**
 * Says on the process's warnings what an operator of the server should know of its data. Most of it
 * happens before there is a server whose events one could listen to.
 */
export function warnOf(events: EventEmitter<DataDirectoryEvents>, path: string): void {
  events.on('lock:inherited', ({ pid }) => {
    warn('ZKS_LOCK_INHERITED', `the server in process ${pid} ended without closing ${path}`)
  })
  events.on('log:cut', ({ file, offset, bytes, problem }) => {
    const what = `${bytes} bytes from offset ${offset} of ${file} in ${path} were cut off`
    warn(
      'ZKS_LOG_CUT',
      `${what}, as a crash leaves them (${problem}): nobody had been told of them`,
    )
  })
  events.on('snapshot:set-aside', ({ renamedTo, error }) => {
    const what = `${error.message}. It is ${renamedTo} in ${path} now`
    warn('ZKS_SNAPSHOT_SET_ASIDE', `${what}; an older one and the log gave the same state`)
  })
  events.on('snapshot:failed', ({ error }) => {
    warn('ZKS_SNAPSHOT_FAILED', `no snapshot could be taken in ${path}: ${error.message}`)
  })
}

function warn(code: string, message: string): void {
  process.emitWarning(message, { code })
}
