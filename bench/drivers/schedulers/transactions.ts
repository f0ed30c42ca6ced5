import { subscribe, unsubscribe } from 'node:diagnostics_channel'

export interface Transaction {
  readonly begun: number
  readonly answered: number
}

const channel = 'tracing:elasticjob:zookeeper:request'

/** The transactions of this process, as its client tells of them, until it is told to stop. */
export function followTransactions(): { readonly all: readonly Transaction[]; stop(): void } {
  const all: Transaction[] = []
  const begun = new Map<unknown, number>()
  const started = (request: unknown): void => {
    if ((request as { operation: string }).operation !== 'multi') return
    begun.set(request, performance.now())
  }
  const answered = (request: unknown): void => {
    const at = begun.get(request)
    if (at === undefined) return
    begun.delete(request)
    all.push({ begun: at, answered: performance.now() })
  }
  subscribe(`${channel}:start`, started)
  subscribe(`${channel}:asyncEnd`, answered)
  return {
    all,
    stop() {
      unsubscribe(`${channel}:start`, started)
      unsubscribe(`${channel}:asyncEnd`, answered)
    },
  }
}
