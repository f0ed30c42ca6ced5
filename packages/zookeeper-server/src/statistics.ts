/** The statistics of a server or a connection, as the four-letter words report them. */
export class Statistics {
  received = 0
  sent = 0
  connectionsRefused = 0
  connectionsDropped = 0
  /** The latency of the last answer, in milliseconds. */
  lastLatency = 0
  #count = 0
  #total = 0
  #min = Infinity
  #max = 0

  /** Records answered requests and their latency in milliseconds. */
  answered(requests: number, latency: number): void {
    this.lastLatency = latency
    this.#count += requests
    this.#total += latency * requests
    if (latency < this.#min) this.#min = latency
    if (latency > this.#max) this.#max = latency
  }

  get minLatency(): number {
    return this.#count === 0 ? 0 : Math.floor(this.#min)
  }

  get averageLatency(): number {
    return this.#count === 0 ? 0 : this.#total / this.#count
  }

  get maxLatency(): number {
    return Math.floor(this.#max)
  }
}
