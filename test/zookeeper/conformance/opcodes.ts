import type { TcpProxy } from '../harness/tcp-proxy.ts'

/** The numbers of requests on the wire, as far as tests look there. */
export const opcode = {
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  sync: 9,
  ping: 11,
  multi: 14,
  create2: 15,
  removeWatches: 18,
  multiRead: 22,
  auth: 100,
  setWatches: 101,
  setWatches2: 105,
  addWatch: 106,
} as const

/** The xid that stands for a notification, and for the answer to a ping. */
export const specialXid = { notification: -1, ping: -2 } as const

/** The request in a frame on its way to a server; undefined for the handshake. */
export function requestOf(frame: {
  readonly index: number
  readonly payload: Buffer
}): number | undefined {
  return frame.index === 0 ? undefined : frame.payload.readInt32BE(4)
}

/** The requests that go through a proxy from now on, pings left out. Replaces its hook. */
export function recordRequests(proxy: TcpProxy): number[] {
  const requests: number[] = []
  proxy.onClientFrame = (frame) => {
    const request = requestOf(frame)
    if (request !== undefined && request !== opcode.ping) requests.push(request)
    return 'pass'
  }
  return requests
}

/** Resolves when so many further pings were answered. Replaces the proxy's hook. */
export function answeredPings(proxy: TcpProxy, count = 1): Promise<void> {
  let answered = 0
  return new Promise((resolve) => {
    proxy.onServerFrame = ({ index, payload }) => {
      if (index > 0 && payload.readInt32BE(0) === specialXid.ping && ++answered === count) resolve()
      return 'pass'
    }
  })
}
