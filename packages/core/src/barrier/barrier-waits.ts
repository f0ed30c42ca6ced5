/** Who waits here for a run. Something that is different leads to one look at all of them. */
import type { Coordination } from '../job-tree/coordination.ts'
import type { Watch, WatchListener, WatchMode } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { CheckLoop } from './check-loop.ts'
import { expire, type Wait } from './wait.ts'

/** Where the news is that those who wait want to hear. */
export interface News {
  readonly path: string
  readonly mode: WatchMode
  readonly heard: WatchListener
}

export class BarrierWaits {
  readonly #host: Coordination
  readonly #news: () => News
  readonly #checkLoop: CheckLoop
  readonly #waits = new Set<Wait>()
  #watch: Promise<Watch> | undefined

  constructor(host: Coordination, news: () => News, look: () => Promise<void>) {
    this.#host = host
    this.#news = news
    this.#checkLoop = new CheckLoop(host.session.clock, () => safely(host, look))
  }

  get waits(): readonly Wait[] {
    for (const wait of this.#waits) if (wait.isOver) this.#waits.delete(wait)
    return [...this.#waits]
  }

  /** Resolves when it has been looked at. */
  join(wait: Wait): Promise<void> {
    this.#waits.add(wait)
    return this.look()
  }

  look(): Promise<void> {
    return this.#checkLoop.now()
  }

  lookSoon(): void {
    if (this.waits.length > 0) this.#checkLoop.soon()
  }

  /** It has waited for too long: the last look decides. */
  async late(wait: Wait): Promise<void> {
    await this.look()
    expire(this.#host.jobName, this.#host.emit, wait)
  }

  /** Resolves when no news can be missed: to be asked before anything is read. */
  async listening(): Promise<void> {
    const { client } = this.#host.session
    const { path, mode, heard } = this.#news()
    this.#watch ??= client
      .watch(path, mode, heard, { whileDisconnected: 'fail' })
      .catch((error: unknown) => {
        this.#watch = undefined
        throw error
      })
    await this.#watch
  }

  async stop(): Promise<void> {
    for (const wait of this.waits) wait.release()
    this.#checkLoop.stop()
    await this.#watch
      ?.then((watch) => watch.remove())
      .catch((error: unknown) => {
        // Without a connection there is no watch to take away.
        if (!isRegistryError(error)) throw error
      })
  }
}

/** Without a connection nothing is known; when it is back, everything is looked at again. */
export async function safely(
  { jobName, emit }: Coordination,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isRegistryError(error)) emit('error:unhandled', { jobName, error })
  }
}
