/** The service that the sample HTTP job calls. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Shop {
  readonly url: string
  close(): Promise<void>
}

export async function openShop(): Promise<Shop> {
  const server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.end('done'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
