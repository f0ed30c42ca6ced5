/** The messages between a store and the thread that has its file open. */

export interface ThreadOptions {
  readonly path: string
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly busyTimeout: number
  readonly isReadOnly?: boolean
}

/** The initial data of a thread. */
export interface ThreadData extends ThreadOptions {
  /** The memory of the gate of its native code. */
  readonly gateMemory: SharedArrayBuffer
}

export interface Statement {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The last message: the thread closes the file and ends. */
export const closeMessage = 'close'

export type Answer =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly id: number; readonly message: string; readonly code: string }
