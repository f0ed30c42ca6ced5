/** What the server saw of a job that is shared with Java, in the order of its transactions. */
import type { History } from './history.ts'
import { isJava } from './leftovers.ts'
import type { Transaction } from './registry.ts'
import { namespace } from './scenario.ts'

type NodeChange = Extract<Transaction['body'], { path: string }>

/** Java takes its node away for a moment whenever it reconnects; a little less than what we wait for. */
const grace = 2500

/** A `running` of ours. */
export interface OurMark {
  readonly index: number
  readonly zxid: number
  readonly at: number
  readonly shard: number
  readonly instance: string
  /** The Java instance whose mark stood there, if that instance was there as well. */
  readonly replaced: string | undefined
  /** Whether there was a Java instance then, or one that was away for a moment. */
  readonly isShared: boolean
  /** Whether it was a leader of ours that gave us the shard last. */
  readonly isMovedByOurs: boolean
}

/** A flag of Java's: from which transaction on, and until when. */
export interface Flag {
  readonly name: string
  readonly from: number
  to: number
}

export class JavaTree {
  readonly marks: OurMark[] = []
  readonly flags: Flag[] = []
  readonly #root: string
  readonly #runners = new Map<string, string>()
  /** Java instances: since when each is away, undefined while it is there. */
  readonly #away = new Map<string, number | undefined>()
  readonly #up = new Map<string, Flag>()
  /** Shards that were last given to somebody by a leader of ours. */
  readonly #movedByOurs = new Set<string>()

  constructor({ transactions, committedAt }: History, jobName: string) {
    this.#root = `/${namespace}/${jobName}/`
    for (const [index, transaction] of transactions.entries()) {
      this.#take(transaction, index, committedAt[index] ?? 0)
    }
    for (const flag of this.#up.values()) flag.to = Infinity
  }

  #take({ body, zxid }: Transaction, index: number, at: number): void {
    if (body.kind === 'closeSession') for (const path of body.ephemerals) this.#deleted(path, at)
    else if (body.kind === 'multi') this.#changed(body.changes, zxid, index, at)
    else if ('path' in body) this.#changed([body], zxid, index, at)
  }

  #changed(changes: readonly NodeChange[], zxid: number, index: number, at: number): void {
    const before = new Map<string, string>()
    // Only a leader of ours sets the node of the epoch.
    const byOurs = changes.some(({ path }) => path === `${this.#root}leader/sharding`)
    for (const change of changes) {
      const { path } = change
      if (!path.startsWith(this.#root)) continue
      const [folder, name = '', mark] = path.slice(this.#root.length).split('/')
      const runner = mark === 'running' ? this.#runners.get(name) : undefined
      if (runner !== undefined && !before.has(name)) before.set(name, runner)
      if (change.kind === 'delete') {
        this.#deleted(path, at)
        continue
      }
      if (change.kind === 'setAcl') continue
      const text = change.data === null ? '' : Buffer.from(change.data).toString()
      if (folder === 'instances' && isJava(name)) this.#away.set(name, undefined)
      if (/^(necessary|processing)$/.test(mark ?? '') && change.kind === 'create') {
        const flag = { name: mark ?? '', from: index, to: Infinity }
        this.#up.set(path, flag)
        this.flags.push(flag)
      }
      if (folder !== 'sharding') continue
      if (mark === 'instance') {
        if (byOurs) this.#movedByOurs.add(name)
        else this.#movedByOurs.delete(name)
      }
      if (mark !== 'running') continue
      this.#runners.set(name, text)
      if (!isJava(text)) this.#marked(name, text, before.get(name), { zxid, index, at })
    }
  }

  #marked(
    shard: string,
    instance: string,
    former: string | undefined,
    when: Pick<OurMark, 'zxid' | 'index' | 'at'>,
  ): void {
    const stands = former !== undefined && isJava(former) && this.#isThere(former, when.at)
    const replaced = stands ? former : undefined
    const isMovedByOurs = this.#movedByOurs.has(shard)
    const isShared = [...this.#away.keys()].some((one) => this.#isThere(one, when.at))
    this.marks.push({ ...when, shard: Number(shard), instance, replaced, isShared, isMovedByOurs })
  }

  #isThere(instance: string, at: number): boolean {
    if (!this.#away.has(instance)) return false
    const since = this.#away.get(instance)
    return since === undefined || at - since < grace
  }

  #deleted(path: string, at: number): void {
    if (!path.startsWith(this.#root)) return
    const [folder, name = '', mark] = path.slice(this.#root.length).split('/')
    if (folder === 'instances' && isJava(name)) this.#away.set(name, at)
    if (folder === 'sharding' && mark === 'running') this.#runners.delete(name)
    const flag = this.#up.get(path)
    if (flag === undefined) return
    flag.to = at
    this.#up.delete(path)
  }
}
