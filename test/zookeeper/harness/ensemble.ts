import { eventually } from './eventually.ts'
import { QuorumLinks } from './quorum-links.ts'
import type { ZooKeeperOptions } from './zookeeper-config.ts'
import { ZooKeeperProcess } from './zookeeper-process.ts'

/** How a real ensemble of the tests is set up; ports are always free ones. */
export interface EnsembleOptions extends Omit<ZooKeeperOptions, 'port'> {
  /** @default 3 */
  readonly size?: number
  /**
   * Ticks in which a follower must have reached and copied the leader.
   * @default 20
   */
  readonly initLimit?: number
  /**
   * Ticks without a word after which leader and follower give each other up.
   * @default 5
   */
  readonly syncLimit?: number
}

const ensembleDefaults: Readonly<
  Required<Pick<EnsembleOptions, 'size' | 'initLimit' | 'syncLimit'>>
> = Object.freeze({ size: 3, initLimit: 20, syncLimit: 5 })

/** One server of an ensemble, with the verbs of a server. */
export interface Member {
  /** Counts from 1, as in `server.1`. */
  readonly id: number
  readonly server: ZooKeeperProcess
}

/** Real servers that form one ensemble, and the links between them. */
export class Ensemble {
  readonly members: readonly Member[]
  readonly #links: QuorumLinks

  private constructor(members: readonly Member[], links: QuorumLinks) {
    this.members = members
    this.#links = links
  }

  static async create(options: EnsembleOptions = {}): Promise<Ensemble> {
    const { size, initLimit, syncLimit, ...settings } = { ...ensembleDefaults, ...options }
    const ids = Array.from({ length: size }, (_, index) => index + 1)
    const links = await QuorumLinks.open(ids)
    const members: Member[] = []
    for (const id of ids) {
      const config = {
        initLimit,
        syncLimit,
        quorumListenOnAllIPs: false,
        ...links.config,
        ...settings.config,
      }
      const properties = { ...links.jvmProperties(id), ...settings.properties }
      const server = await ZooKeeperProcess.create({ ...settings, config, properties }, id)
      members.push({ id, server })
    }
    return new Ensemble(members, links)
  }

  /** The connect string of all members. */
  get connectString(): string {
    return this.members.map(({ server }) => server.connectString).join(',')
  }

  /** Starts every member that does not run, and resolves with the leader when all serve. */
  async start(): Promise<Member> {
    for (const { server } of this.members) server.spawn()
    await Promise.all(this.members.map(({ server }) => server.ready()))
    return this.leader()
  }

  member(id: number): Member {
    const member = this.members.find((candidate) => candidate.id === id)
    if (member === undefined) throw new Error(`there is no member ${id}`)
    return member
  }

  /** The member that leads, as soon as there is one. A paused member does not count. */
  leader(): Promise<Member> {
    return this.waitForQuorum(1)
  }

  /** The members that follow right now, by their ids. */
  async followers(): Promise<Member[]> {
    const modes = await this.#modes()
    return this.members.filter((_, index) => modes[index] === 'follower')
  }

  /**
   * Resolves with the leader when so many members serve; by default a majority of all. While an old
   * leader has not noticed yet that there is a new one, it waits.
   */
  waitForQuorum(size: number = Math.floor(this.members.length / 2) + 1): Promise<Member> {
    return eventually(
      async () => {
        const modes = await this.#modes()
        const serving = modes.filter((mode) => mode !== undefined).length
        // A single member has nobody to lead, and serves alone.
        const leaders = this.members.filter((_, index) =>
          ['leader', 'standalone'].includes(modes[index] ?? ''),
        )
        return serving >= size && leaders.length === 1 ? leaders[0] : undefined
      },
      { what: `an ensemble with a leader and ${size} serving members`, timeoutMs: 30_000 },
    )
  }

  /** Resolves when this member does not serve any more: it has lost the ensemble, or its life. */
  async waitForLoss({ server }: Member): Promise<void> {
    await eventually(async () => ((await server.mode()) === undefined ? true : undefined), {
      what: 'a member that has lost the ensemble',
      timeoutMs: 30_000,
    })
  }

  /**
   * Black-holes the link between two members, both ways and without closing a connection. Each
   * still talks to all others.
   */
  cutLink(one: Member, other: Member): void {
    this.#links.cut(one.id, other.id)
  }

  healLink(one: Member, other: Member): void {
    this.#links.heal(one.id, other.id)
  }

  /** Ends all members and removes what they leave. May be called twice. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.stop()))
    await this.#links.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #modes(): Promise<(string | undefined)[]> {
    return Promise.all(this.members.map(({ server }) => server.mode()))
  }
}

/** A real ensemble in which every member serves when this resolves. */
export async function startEnsemble(options: EnsembleOptions = {}): Promise<Ensemble> {
  const ensemble = await Ensemble.create(options)
  try {
    await ensemble.start()
  } catch (error) {
    await ensemble.stop()
    throw error
  }
  return ensemble
}
