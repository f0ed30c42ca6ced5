import { opCode } from '@elasticjob/zookeeper/protocol'
import { typeOf } from './encode.ts'
import type { Request } from './operation.ts'

const known: ReadonlySet<number> = new Set(Object.values(opCode).filter((type) => type !== -1))

/** Whether the connection is closed after the answer. */
export function isLast(request: Request): boolean {
  return request.do === 'closeSession' || !known.has(typeOf(request))
}

/** Whether it is answered when it is read, before the requests that came earlier and still wait. */
export function isAnsweredAlone(request: Request): boolean {
  return request.do === 'auth' || request.do === 'sasl'
}
