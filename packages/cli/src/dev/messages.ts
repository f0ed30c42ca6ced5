/** The messages between dev and its workers. */
import type { RunSource } from '@elasticjob/core'

/** The initial data of a worker. */
export interface WorkerTask {
  readonly servers: string
  readonly namespace: string
  /** Counts the workers, from 1. */
  readonly number: number
  /** The worker's IP address: each has its own, as on separate machines. */
  readonly ip: string
  /** The file with the jobs to run; undefined for the sample jobs. */
  readonly file: string | undefined
  /** The URL that the sample jobs call. */
  readonly shop: string
  /** The database for the history, unless the file names another one. */
  readonly history: string
}

/** A message from a worker to its parent. */
export type WorkerMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'ran'; readonly run: RunReport }
  | { readonly kind: 'failed'; readonly run: RunReport; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** One run of one shard. */
export interface RunReport {
  readonly jobName: string
  readonly shard: number
  readonly source: RunSource
  /** The fire time; for a manual run, when it was requested. */
  readonly fireTime: number
}
