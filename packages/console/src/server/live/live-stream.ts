/** What one page hears: how the registry stands, and what has changed of that which the page shows. */
import type { Clock, Timer } from '@elasticjob/zookeeper'

import type { LiveQuery } from '../../contract/live.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import { Bell } from './bell.ts'
import type { Board } from './board.ts'
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
    const events: LiveEvent[] = [...this.#stateEvents()]
    const { board } = link
    let id: string | undefined
    if (link.state.state === 'connected' && board !== undefined) {
      const before = this.#known
      events.push(...this.#listEvents(board))
      id = this.#known === before ? undefined : this.#known
      events.push(...(await this.#jobEvents(board)))
    }
    if (this.#due.delete('run')) events.push(...(await this.#runEvents()))
    if (this.#due.delete('alive')) {
      if (!isAllowed()) return this.writer.close()
      events.push({ name: 'alive', data: JSON.stringify({ now: clock.now() }) })
      this.#schedule('alive', heartbeat)
    }
    await this.writer.write(events, id)
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

  #listEvents(board: Board): LiveEvent[] {
    const { query } = this.#options
    const since = board.numberOf(this.#known)
    const events: LiveEvent[] = []
    for (const what of ['jobs', 'servers'] as const) {
      if (query[what] !== true) continue
      const data = board.messageSince(what, since)
      if (data !== undefined) events.push({ name: what, data })
    }
    this.#known = board.revision
    return events
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
