/** The server's account: every transaction, what the tree became by it, and what the shard states said. */
import { toText } from '@elasticjob/zookeeper'

import type { SeenState, StateChange } from './history.ts'
import type { Transaction } from './registry.ts'

type NodeChange = Extract<Transaction['body'], { path: string }>

const neverRun: SeenState = {
  state: 'idle',
  run: '',
  instance: '',
  fireTime: 0,
  attempt: 0,
  round: 0,
  begin: 0,
  end: 0,
}

/** Orders transactions of all eras: a registry that was wiped or restored counts from an earlier zxid again. */
const eraSize = 1e9

/** The end of a session, and the era in which it ended. */
export interface Closed {
  readonly era: number
  readonly order: number
  readonly at: number
}

export class TreeLog {
  /** Grows whenever the registry loses what it had: wiped, restored from a backup, nodes deleted. */
  era = 0
  readonly transactions: Transaction[] = []
  readonly orders: number[] = []
  readonly tree = new Map<string, string>()
  readonly states: StateChange[] = []
  /** The session that made the node below `alive`, by instance. */
  readonly sessionOf = new Map<string, bigint>()
  /** Instances that more than one session called itself by. */
  readonly reused: string[] = []
  readonly closed = new Map<bigint, Closed[]>()
  /** The transactions by which instances have taken their own node below `alive` away. */
  readonly left = new Map<string, number>()
  /** When each job last got a leader, and when something last changed that makes its shards move. */
  readonly electedAt = new Map<string, number>()
  readonly changedAt = new Map<string, number>()
  /** The sessions that live. */
  readonly open = new Set<bigint>()
  readonly #known = new Set<bigint>()
  /** Runs that an operator wanted to end. */
  readonly stopped = new Set<string>()
  readonly #now: () => number
  readonly #alive: string
  readonly #execution: string
  readonly #jobs: string

  constructor(namespace: string, now: () => number) {
    this.#now = now
    this.#alive = `/${namespace}.state/alive/`
    this.#execution = `/${namespace}.state/execution/`
    this.#jobs = `/${namespace}.state/jobs/`
  }

  /** The order of a transaction of the present era. */
  orderOf(zxid: number): number {
    return this.era * eraSize + zxid
  }

  /**
   * The registry goes on from these transactions, and has lost the ones after them. What that changes is
   * written down as one transaction, so that whoever replays the log sees it.
   */
  beginEra(kept: readonly Transaction[], time: number): void {
    const past = new TreeLog('', () => 0)
    for (const transaction of kept) past.take(transaction)
    this.era += 1
    const zxid = kept.at(-1)?.zxid ?? 0
    const lost = [...this.tree.keys()]
      .filter((path) => !past.tree.has(path))
      .toSorted()
      .toReversed()
    const deletions = lost.map((path) => ({ kind: 'delete', path }))
    const restored = [...past.tree]
      .filter(([path, data]) => this.tree.get(path) !== data)
      .map(([path, data]) => {
        const kind = this.tree.has(path) ? 'setData' : 'create'
        return { kind, path, data: Buffer.from(data) }
      })
    const body = { kind: 'multi', changes: [...deletions, ...restored] }
    // As much of it as anybody looks at.
    this.transactions.push({ zxid, time, sessionId: 0n, body } as never)
    this.orders.push(this.orderOf(zxid))
    this.#closeLost(past, zxid)
    this.tree.clear()
    for (const [path, data] of past.tree) {
      this.tree.set(path, data)
      const shardState = this.#stateOf(path, data, zxid)
      if (shardState !== undefined) this.states.push({ ...shardState, isRestored: true })
    }
  }

  /** Sessions that the registry does not know any more. */
  #closeLost({ open }: TreeLog, zxid: number): void {
    const at = this.#now()
    for (const session of this.#known) {
      if (!open.has(session)) this.#close(session, { era: this.era, order: this.orderOf(zxid), at })
    }
    this.open.clear()
    for (const session of open) this.open.add(session)
  }

  #close(session: bigint, closed: Closed): void {
    this.open.delete(session)
    const all = this.closed.get(session) ?? []
    this.closed.set(session, all)
    if (all.at(-1)?.era !== closed.era) all.push(closed)
  }

  take(transaction: Transaction): void {
    if (transaction.body.kind === 'none') return
    this.transactions.push(transaction)
    this.orders.push(this.orderOf(transaction.zxid))
    const { body, sessionId, zxid } = transaction
    if (body.kind === 'createSession') {
      this.open.add(sessionId)
      this.#known.add(sessionId)
    }
    if (body.kind === 'multi') for (const change of body.changes) this.#change(change, transaction)
    else if (body.kind === 'closeSession') {
      for (const path of body.ephemerals) this.tree.delete(path)
      this.#close(sessionId, { era: this.era, order: this.orderOf(zxid), at: this.#now() })
    } else if (body.kind !== 'createSession') this.#change(body, transaction)
  }

  #change(change: NodeChange, { zxid, sessionId }: Transaction): void {
    const { path } = change
    this.#noteSituation(path)
    if (change.kind === 'delete') {
      this.tree.delete(path)
      const instance = path.startsWith(this.#alive) ? path.slice(this.#alive.length) : ''
      if (this.sessionOf.get(instance) === sessionId) {
        this.left.set(instance, this.orderOf(zxid))
      }
      return
    }
    if (change.kind === 'setAcl') return
    const text = change.data === null ? '' : toText(change.data)
    this.tree.set(path, text)
    this.#noteStops(path, text)
    if (path.startsWith(this.#alive)) {
      const instance = path.slice(this.#alive.length)
      if ((this.sessionOf.get(instance) ?? sessionId) !== sessionId) this.reused.push(instance)
      this.sessionOf.set(instance, sessionId)
    } else {
      const shardState = this.#stateOf(path, text, zxid)
      if (shardState !== undefined) this.states.push(shardState)
    }
  }

  #noteSituation(path: string): void {
    const [, , jobName = '', folder] = path.split('/', 4)
    if (folder === 'leader' && path.endsWith('/election/instance')) {
      this.electedAt.set(jobName, this.#now())
    } else if (folder === 'instances' || folder === 'servers' || folder === 'config') {
      this.changedAt.set(jobName, this.#now())
    }
  }

  #noteStops(path: string, text: string): void {
    if (!path.startsWith(this.#jobs) || !text.includes('"stops"')) return
    const { stops } = JSON.parse(text) as { stops?: Record<string, string> }
    for (const run of Object.values(stops ?? {})) this.stopped.add(run)
  }

  #stateOf(path: string, text: string, zxid: number): StateChange | undefined {
    if (!path.startsWith(this.#execution) || text === '') return undefined
    const [jobName = '', shard = ''] = path.slice(this.#execution.length).split('/')
    if (shard === '') return undefined
    // Not by spreading: a spread that adds properties costs several times the parsing.
    const shardState: SeenState = Object.assign(
      {},
      neverRun,
      JSON.parse(text) as Partial<SeenState>,
    )
    const { era } = this
    const order = this.orderOf(zxid)
    return { zxid, order, era, at: this.#now(), jobName, shard: Number(shard), shardState }
  }
}
