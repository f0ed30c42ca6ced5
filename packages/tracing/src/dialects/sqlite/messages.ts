/** What goes between a store and the thread that has its file open. */

export interface ThreadOptions {
  readonly path: string
  /** How long a statement waits for another process's lock, in milliseconds. */
  readonly busyTimeout: number
}

/** What a thread is started with. */
export interface ThreadData extends ThreadOptions {
  /** Of the gate that its native code passes. */
  readonly gateMemory: SharedArrayBuffer
}

export interface Statement {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Nothing more is asked: the file is closed, and the thread is over. */
export const farewell = 'farewell'

export type Answer =
  | { readonly id: number; readonly rows: readonly unknown[]; readonly changes: number }
  | { readonly id: number; readonly message: string; readonly code: string }
