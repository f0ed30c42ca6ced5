/** The stream of one page: the state of the registry, and changes of what the page shows. */
import type { Clock, Timer } from '@elasticjob/core'
import { maskTexts } from '@elasticjob/core/internal'

import type { LiveQuery } from '../../contract/live.ts'
import type { RegistryLink } from '../connections/registry-link.ts'
import { AsyncSignal } from './async-signal.ts'
import type { NamespaceView, ListName } from './namespace-view.ts'
import { EventWriter, type LiveEvent } from './event-writer.ts'
import type { RunFollower } from './run-follower.ts'

/** The heartbeat interval, in milliseconds: proxies close connections that are silent for a minute. */
const heartbeat = 15_000
/** The polling interval of a followed run. */
const runInterval = 1000

export interface LiveStreamOptions {
  readonly link: RegistryLink
  readonly query: LiveQuery
  /** The revision that the reader has seen, as sent by its browser or page. */
  readonly known: string | undefined
  readonly run: RunFollower | undefined
  readonly clock: Clock
  /** Ends the stream: the reader is gone, or the console stops. */
  readonly signal: AbortSignal
  /** Whether the reader is still authorized. */
  readonly isAllowed: () => boolean
}

export class LiveStream {
  readonly writer = new EventWriter()
  readonly #options: LiveStreamOptions
  readonly #signal = new AsyncSignal()
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
    const unwatch = link.watch(this.#signal.ring)
    signal.addEventListener('abort', this.#signal.ring)
    this.writer.ended.addEventListener('abort', this.#signal.ring)
    if (this.#options.run !== undefined) this.#due.add('run')
    this.#schedule('alive', heartbeat)
    try {
      while (!signal.aborted && !this.writer.ended.aborted) {
        await this.#tell()
        await this.#signal.heard()
      }
    } catch {
      // The reader is gone.
    } finally {
      unwatch()
      signal.removeEventListener('abort', this.#signal.ring)
      for (const timer of this.#timers.values()) timer.cancel()
      await this.writer.close()
    }
  }

  async #tell(): Promise<void> {
    const { link, clock, isAllowed } = this.#options
    await this.writer.write(this.#stateEvents())
    const { view } = link
    const events: LiveEvent[] = []
    if (link.state.state === 'connected' && view !== undefined) {
      if (view.numberOf(this.#known) === undefined) await this.#tellEverything(view)
      // The shared list may be a moment old, and no signal follows for changes since then.
      await this.#tellChanges(view)
      events.push(...(await this.#jobEvents(view)))
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
    return [{ name: 'registry', data: JSON.stringify(maskTexts(data)) }]
  }

  get #lists(): ListName[] {
    const { query } = this.#options
    return (['jobs', 'servers'] as const).filter((what) => query[what] === true)
  }

  /** Sends the list in pieces, as fast as the client reads. Changes meanwhile follow. */
  async #tellEverything(view: NamespaceView): Promise<void> {
    const all = this.#lists.map((name) => ({ name, list: view.everything(name) }))
    const pieces = all.flatMap(({ name, list }) =>
      Array.from({ length: list.pieceCount }, (_, index) => ({ name, list, index })),
    )
    const known = oldest(
      view,
      all.map(({ list }) => list.revision),
    )
    for (const [position, { name, list, index }] of pieces.entries()) {
      if (this.writer.ended.aborted || this.#options.signal.aborted) return
      const id = position === pieces.length - 1 ? known : undefined
      await this.writer.write([{ name, data: list.piece(index) }], id)
    }
    this.#known = known
  }

  async #tellChanges(view: NamespaceView): Promise<void> {
    const since = view.numberOf(this.#known)
    if (since === undefined) return
    const events: LiveEvent[] = []
    for (const name of this.#lists) {
      const data = view.messageSince(name, since)
      if (data !== undefined) events.push({ name, data })
    }
    this.#known = view.revision
    await this.writer.write(events, this.#known)
  }

  async #jobEvents(view: NamespaceView): Promise<LiveEvent[]> {
    const { job: jobName } = this.#options.query
    if (jobName === undefined || view.lookedAt(jobName) === this.#lookedAt) return []
    this.#lookedAt = view.lookedAt(jobName)
    const data = await view.jobMessage(jobName)
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
      this.#signal.ring()
    }, milliseconds)
    this.#timers.set(what, timer)
  }
}

/** The oldest of these revisions: a reader that continues from it misses no change. */
function oldest(view: NamespaceView, revisions: readonly string[]): string {
  const age = (revision: string): number => view.numberOf(revision) ?? 0
  return revisions.toSorted((a, b) => age(a) - age(b))[0] ?? view.revision
}
