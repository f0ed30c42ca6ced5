import type { TcpProxy } from './tcp-proxy.ts'

/**
 * Lets the next request of this kind reach the server, destroys the connection in place of its
 * reply, and resolves when that has happened: the client cannot know whether it was carried out.
 * The proxy must be framed; other hooks of the proxy are replaced.
 */
export function loseNextReply(proxy: TcpProxy, opcode: number): Promise<void> {
  return new Promise((resolve) => {
    let victim: { readonly connection: number; readonly xid: number } | undefined
    proxy.onClientFrame = ({ connection, index, payload }) => {
      const isRequest = index > 0 && payload.length >= 8
      if (victim === undefined && isRequest && payload.readInt32BE(4) === opcode) {
        victim = { connection, xid: payload.readInt32BE(0) }
      }
      return 'pass'
    }
    proxy.onServerFrame = ({ connection, index, payload }) => {
      const isReply = index > 0 && payload.readInt32BE(0) === victim?.xid
      if (!isReply || connection !== victim?.connection) return 'pass'
      proxy.onClientFrame = undefined
      proxy.onServerFrame = undefined
      resolve()
      return 'drop'
    }
  })
}
