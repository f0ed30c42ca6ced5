/** What one page hears: how the registry stands, and what has changed of that which the page shows. */
import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { LiveQuery } from '../../contract/live.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import { Bell } from './bell.ts'
import type { Board, ListName } from './board.ts'
import { EventWriter, type LiveEvent } from './event-writer.ts'
import type { RunFollower } from './run-follower.ts'

/** A sign of life, in milliseconds: a proxy closes what is silent for a minute. */
const heartbeat = 15_000
/** How often a followed run is asked about. */
const runInterval = 1000

export interface LiveStreamOptions {
  readonly link: RegistryLink
  readonly query: LiveQuery
  /** What the reader knows already, as its browser or its page says. */
  readonly known: string | undefined
  readonly run: RunFollower | undefined
  readonly clock: Clock
  /** Ends the stream: the reader has gone, or the console stops. */
  readonly signal: AbortSignal
  /** Whether the reader may still read. */
  readonly isAllowed: () => boolean
}

export class LiveStream {
  readonly writer = new EventWriter()
  readonly #options: LiveStreamOptions
  readonly #bell = new Bell()
  readonly #timers = new Map<'alive' | 'run', Timer>()
  readonly #due = new Set<'alive' | 'run'>()
  #known: string | undefined
  #toldState: string | undefined
  #toldJob: string | undefined
  #lookedAt = -1

  constructor(options: LiveStreamOptions) {
    this.#options = options
    this.#known = options.known
  }

  /** Resolves when the stream has ended. */
  async run(): Promise<void> {
    const { link, signal } = this.#options
    const unwatch = link.watch(this.#bell.ring)
    signal.addEventListener('abort', this.#bell.ring)
    this.writer.ended.addEventListener('abort', this.#bell.ring)
    if (this.#options.run !== undefined) this.#due.add('run')
    this.#schedule('alive', heartbeat)
    try {
      while (!signal.aborted && !this.writer.ended.aborted) {
        await this.#tell()
        await this.#bell.heard()
      }
    } catch {
      // Nobody reads any more.
    } finally {
      unwatch()
      signal.removeEventListener('abort', this.#bell.ring)
      for (const timer of this.#timers.values()) timer.cancel()
      await this.writer.close()
    }
  }

  async #tell(): Promise<void> {
    const { link, clock, isAllowed } = this.#options
    await this.writer.write(this.#stateEvents())
    const { board } = link
    const events: LiveEvent[] = []
    if (link.state.state === 'connected' && board !== undefined) {
      if (board.numberOf(this.#known) === undefined) await this.#tellEverything(board)
      // What was shared may be a moment old: nobody rings the bell again for what has changed since.
      await this.#tellChanges(board)
      events.push(...(await this.#jobEvents(board)))
    }
    if (this.#due.delete('run')) events.push(...(await this.#runEvents()))
    if (this.#due.delete('alive')) {
      if (!isAllowed()) return this.writer.close()
      events.push({ name: 'alive', data: JSON.stringify({ now: clock.now() }) })
      this.#schedule('alive', heartbeat)
    }
    await this.writer.write(events)
  }

  #stateEvents(): LiveEvent[] {
    const { link, clock } = this.#options
    const { namespace } = link.registry
    const told = JSON.stringify(link.state)
    if (told === this.#toldState) return []
    this.#toldState = told
    const data = { ...link.state, name: link.name, namespace, now: clock.now() }
    return [{ name: 'registry', data: JSON.stringify(data) }]
  }

  get #lists(): ListName[] {
    const { query } = this.#options
    return (['jobs', 'servers'] as const).filter((what) => query[what] === true)
  }

  /** Piece by piece, as fast as it is read. What changes meanwhile follows. */
  async #tellEverything(board: Board): Promise<void> {
    const all = this.#lists.map((name) => ({ name, list: board.everything(name) }))
    const pieces = all.flatMap(({ name, list }) =>
      Array.from({ length: list.pieceCount }, (_, index) => ({ name, list, index })),
    )
    const known = oldest(
      board,
      all.map(({ list }) => list.revision),
    )
    for (const [position, { name, list, index }] of pieces.entries()) {
      if (this.writer.ended.aborted || this.#options.signal.aborted) return
      const id = position === pieces.length - 1 ? known : undefined
      await this.writer.write([{ name, data: list.piece(index) }], id)
    }
    this.#known = known
  }

  async #tellChanges(board: Board): Promise<void> {
    const since = board.numberOf(this.#known)
    if (since === undefined) return
    const events: LiveEvent[] = []
    for (const name of this.#lists) {
      const data = board.messageSince(name, since)
      if (data !== undefined) events.push({ name, data })
    }
    this.#known = board.revision
    await this.writer.write(events, this.#known)
  }

  async #jobEvents(board: Board): Promise<LiveEvent[]> {
    const { job: jobName } = this.#options.query
    if (jobName === undefined || board.lookedAt(jobName) === this.#lookedAt) return []
    this.#lookedAt = board.lookedAt(jobName)
    const data = await board.jobMessage(jobName)
    if (data === this.#toldJob) return []
    this.#toldJob = data
    return [{ name: 'job', data }]
  }

  async #runEvents(): Promise<LiveEvent[]> {
    const { run } = this.#options
    if (run === undefined) return []
    const events = await run.news()
    if (!run.isOver) this.#schedule('run', events.length > 0 ? 0 : runInterval)
    return events
  }

  #schedule(what: 'alive' | 'run', milliseconds: number): void {
    const timer = this.#options.clock.setTimer(() => {
      this.#due.add(what)
      this.#bell.ring()
    }, milliseconds)
    this.#timers.set(what, timer)
  }
}

/** Where to go on from, so that nothing is missed of any. */
function oldest(board: Board, revisions: readonly string[]): string {
  const age = (revision: string): number => board.numberOf(revision) ?? 0
  return revisions.toSorted((a, b) => age(a) - age(b))[0] ?? board.revision
}
