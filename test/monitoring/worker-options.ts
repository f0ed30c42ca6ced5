export interface MonitoredWorkerOptions {
  readonly servers: string
  readonly namespace: string
  readonly ip: string
  /** Where the figures are. */
  readonly port: number
}

/** Jobs that every worker takes part in; what `jobParameter` says is what goes wrong. */
export const jobNames = {
  /** Runs every second. */
  steady: 'steady',
  /** Fails while its parameter is `fail`. */
  flaky: 'flaky',
  /** Takes as many milliseconds for each of its shards as its parameter says, one after the other. */
  slow: 'slow',
  /** Hears nothing of an abort when it is triggered. */
  deaf: 'deaf',
  /** Runs until it is told to end when it is triggered. */
  patient: 'patient',
  /** Takes as many milliseconds as its parameter says, and is not taken over. */
  fragile: 'fragile',
} as const

/** A line to a worker: its history goes to a database from now on, which is down. */
export const recordLine = 'record'
