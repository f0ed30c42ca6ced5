export interface DocumentedWorkerOptions {
  readonly servers: string
  readonly ip: string
  /** What the page of the documentation shows; it uses `jobs` and `syncPage`. */
  readonly program: string
  readonly logFile: string
}

/** A page that a process has begun. */
export interface LoggedPage {
  readonly ip: string
  readonly shard: number
  readonly page: number
}

/** How many pages each shard has. */
export const pageCount = 30

/** The registry and its sessions, short enough for a test to wait for the end of one. */
export const times = Object.freeze({ sessionTimeout: 3000, tickTime: 500, abortTime: 500 })
