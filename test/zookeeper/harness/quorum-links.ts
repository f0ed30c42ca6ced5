import { freePorts } from './free-port.ts'
import type { Direction, ProxyRules } from './proxy-pump.ts'
import { SocksGateway } from './socks-gateway.ts'

/** The ports on which a member listens for the others: for followers, and for elections. */
interface MemberPorts {
  readonly id: number
  readonly quorum: number
  readonly election: number
}

/**
 * The network between the members of an ensemble. Each member calls the others through a gateway
 * of its own, so that the link between two of them can be cut while both go on talking to all
 * others.
 */
export class QuorumLinks {
  readonly #members: readonly MemberPorts[]
  readonly #gateways = new Map<number, SocksGateway>()
  readonly #rules = new Map<string, ProxyRules>()

  private constructor(members: readonly MemberPorts[]) {
    this.#members = members
  }

  static async open(ids: readonly number[]): Promise<QuorumLinks> {
    const members: MemberPorts[] = []
    for (const id of ids) {
      const [quorum, election] = (await freePorts(2)) as [number, number]
      members.push({ id, quorum, election })
    }
    const links = new QuorumLinks(members)
    for (const id of ids) {
      const gateway = await SocksGateway.start((port) => links.#rulesOf(id, links.#memberAt(port)))
      links.#gateways.set(id, gateway)
    }
    return links
  }

  /** The lines of zoo.cfg that tell every member where all of them listen. */
  get config(): Record<string, string> {
    return Object.fromEntries(
      this.#members.map(({ id, quorum, election }) => [
        `server.${id}`,
        `127.0.0.1:${quorum}:${election}`,
      ]),
    )
  }

  /** What makes a member's JVM call the others through these links. */
  jvmProperties(id: number): Record<string, string> {
    return this.#gatewayOf(id).jvmProperties
  }

  /**
   * Black-holes what two members send each other, whoever called: connections stay open, new ones
   * are neither made nor refused.
   */
  cut(one: number, other: number): void {
    this.#change(one, other, (held) => held.add('to-server').add('to-client'))
  }

  /** Lets everything through again, beginning with what was sent meanwhile. */
  heal(one: number, other: number): void {
    this.#change(one, other, (held) => held.clear())
  }

  async close(): Promise<void> {
    await Promise.all([...this.#gateways.values()].map((gateway) => gateway.stop()))
  }

  #change(one: number, other: number, change: (held: Set<Direction>) => void): void {
    change(this.#rulesOf(one, other).held)
    change(this.#rulesOf(other, one).held)
    this.#gatewayOf(one).rulesChanged()
    this.#gatewayOf(other).rulesChanged()
  }

  #rulesOf(from: number, to: number): ProxyRules {
    const link = `${from}>${to}`
    const rules = this.#rules.get(link) ?? { held: new Set<Direction>(), delayMs: 0 }
    this.#rules.set(link, rules)
    return rules
  }

  #memberAt(port: number): number {
    const member = this.#members.find(({ quorum, election }) => [quorum, election].includes(port))
    if (member === undefined) throw new Error(`no member listens on port ${port}`)
    return member.id
  }

  #gatewayOf(id: number): SocksGateway {
    const gateway = this.#gateways.get(id)
    if (gateway === undefined) throw new Error(`there is no member ${id}`)
    return gateway
  }
}
