/** The server's account: every transaction, what the tree became by it, and what the items' words said. */
import { toText } from '@elasticjob/zookeeper'

import type { Word, WordChange } from './history.ts'
import type { Transaction } from './registry.ts'

type NodeChange = Extract<Transaction['body'], { path: string }>

const neverRun: Word = {
  state: 'idle',
  run: '',
  instance: '',
  fireTime: 0,
  attempt: 0,
  round: 0,
  begin: 0,
  end: 0,
}

export class TreeLog {
  readonly transactions: Transaction[] = []
  readonly tree = new Map<string, string>()
  readonly words: WordChange[] = []
  /** The session that made the node below `alive`, by instance. */
  readonly sessionOf = new Map<string, bigint>()
  /** Instances that more than one session called itself by. */
  readonly reused: string[] = []
  readonly closed = new Map<bigint, { zxid: number; at: number }>()
  /** The transactions by which instances have taken their own node below `alive` away. */
  readonly left = new Map<string, number>()
  readonly #now: () => number
  readonly #alive: string
  readonly #execution: string

  constructor(namespace: string, now: () => number) {
    this.#now = now
    this.#alive = `/${namespace}.state/alive/`
    this.#execution = `/${namespace}.state/execution/`
  }

  take(transaction: Transaction): void {
    if (transaction.body.kind === 'none') return
    this.transactions.push(transaction)
    const { body, sessionId, zxid } = transaction
    if (body.kind === 'multi') for (const change of body.changes) this.#change(change, transaction)
    else if (body.kind === 'closeSession') {
      for (const path of body.ephemerals) this.tree.delete(path)
      if (!this.closed.has(sessionId)) this.closed.set(sessionId, { zxid, at: this.#now() })
    } else if (body.kind !== 'createSession') this.#change(body, transaction)
  }

  #change(change: NodeChange, { zxid, sessionId }: Transaction): void {
    const { path } = change
    if (change.kind === 'delete') {
      this.tree.delete(path)
      const instance = path.startsWith(this.#alive) ? path.slice(this.#alive.length) : ''
      if (this.sessionOf.get(instance) === sessionId) this.left.set(instance, zxid)
      return
    }
    if (change.kind === 'setAcl') return
    const text = change.data === null ? '' : toText(change.data)
    this.tree.set(path, text)
    if (path.startsWith(this.#alive)) {
      const instance = path.slice(this.#alive.length)
      if ((this.sessionOf.get(instance) ?? sessionId) !== sessionId) this.reused.push(instance)
      this.sessionOf.set(instance, sessionId)
    } else if (path.startsWith(this.#execution) && text !== '') {
      const [jobName = '', item = ''] = path.slice(this.#execution.length).split('/')
      if (item === '') return
      // Not by spreading: a spread that adds properties costs several times the parsing.
      const word: Word = Object.assign({}, neverRun, JSON.parse(text) as Partial<Word>)
      this.words.push({ zxid, at: this.#now(), jobName, item: Number(item), word })
    }
  }
}
