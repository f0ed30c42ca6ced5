/** Called once, with what went wrong if anything did. */
export type Settle = (error?: Error | null) => void

/** A client as the workloads see it: each method is the client's own call and nothing around it. */
export interface BenchClient {
  get(path: string, settle: Settle): void
  set(path: string, value: Buffer, settle: Settle): void
  create(path: string, value: Buffer, settle: Settle): void
  delete(path: string, settle: Settle): void
  /** Sets all the nodes in one transaction. Absent where a client knows no transactions. */
  setAll?(paths: readonly string[], value: Buffer, settle: Settle): void
  /** Reads the node and hears once that it has changed. */
  watch(path: string, changed: () => void, settle: Settle): void
  close(): Promise<void> | void
}

/** A call as a promise, for where its cost does not count. */
export function settled(call: (settle: Settle) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error instanceof Error ? reject(error) : resolve()))
  })
}
