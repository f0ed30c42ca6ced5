import { networkTransport, type Transport } from '@elasticjob/zookeeper'

/** A network that a test closes to one client and opens again; connections there are stay. */
export class Gate {
  readonly transport: Transport
  #isOpen = true

  constructor(network: Transport = networkTransport()) {
    this.transport = {
      resolve: async (host) => {
        if (!this.#isOpen) throw new Error('the network cannot be reached')
        return network.resolve(host)
      },
      connect: (endpoint, handler) => network.connect(endpoint, handler),
    }
  }

  close(): void {
    this.#isOpen = false
  }

  open(): void {
    this.#isOpen = true
  }
}
