import type { TcpProxy } from '../harness/tcp-proxy.ts'
import { Log } from './log.ts'

const pingXid = -2

/** The pings that pass through a proxy, which must be framed; other hooks of it are replaced. */
export function recordPings(proxy: TcpProxy): Log<'ping' | 'answer'> {
  const pings = new Log<'ping' | 'answer'>()
  proxy.onClientFrame = ({ index, payload }) => {
    if (index > 0 && payload.readInt32BE(0) === pingXid) pings.add('ping')
    return 'pass'
  }
  proxy.onServerFrame = ({ index, payload }) => {
    if (index > 0 && payload.readInt32BE(0) === pingXid) pings.add('answer')
    return 'pass'
  }
  return pings
}
