import type { Logger } from '../../logger.ts'
import type { ShardingContext } from '../context.ts'
import type { ErrorData } from './error-data.ts'

/** Which function of which module a worker runs. */
export interface WorkerTask {
  /** The module's URL. */
  readonly module: string
  /** Undefined for the only function that the module exports. */
  readonly exportName: string | undefined
}

/** What of a context can be copied into another thread. */
export type ContextData = Omit<ShardingContext, 'signal' | 'logger' | 'saveOffset'>

/** What a worker is told. Runs of one worker are numbered: it may still speak of an earlier one. */
export type ToWorker =
  | { readonly kind: 'run'; readonly run: number; readonly context: ContextData }
  | { readonly kind: 'abort'; readonly run: number; readonly reason: ErrorData }
  | { readonly kind: 'offset-saved'; readonly call: number; readonly error: ErrorData | undefined }

/** What a worker tells. */
export type FromWorker =
  | {
      readonly kind: 'log'
      readonly run: number
      readonly level: keyof Logger
      readonly message: string
    }
  | {
      readonly kind: 'save-offset'
      readonly run: number
      readonly call: number
      readonly offset: string
    }
  | { readonly kind: 'ended'; readonly run: number; readonly error: ErrorData | undefined }
