/** What dev and its workers say to each other. */
import type { RunSource } from '@elasticjob/core'

/** What a worker is started with. */
export interface WorkerTask {
  readonly servers: string
  readonly namespace: string
  /** Counts the workers, from 1. */
  readonly number: number
  /** The address that the worker is known by: each has one of its own, as on machines of their own. */
  readonly ip: string
  /** The file whose jobs it runs; undefined for the sample jobs. */
  readonly file: string | undefined
  /** Where the sample jobs find their shop. */
  readonly shop: string
  /** The database that jobs are recorded in, unless their file says another. */
  readonly history: string
}

/** What a worker tells the process that started it. */
export type WorkerMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'ran'; readonly run: RunReport }
  | { readonly kind: 'failed'; readonly run: RunReport; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** One run of one item. */
export interface RunReport {
  readonly jobName: string
  readonly item: number
  readonly source: RunSource
  /** The scheduled time; of a trigger, when it was asked for. */
  readonly fireTime: number
}
