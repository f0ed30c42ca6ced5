import type { Logger } from '../../logger.ts'
import type { ShardingContext } from '../context.ts'
import type { ErrorData } from './error-data.ts'

/** The module and function that a worker runs. */
export interface WorkerTask {
  /** The module's URL. */
  readonly module: string
  /** Undefined for the only function that the module exports. */
  readonly exportName: string | undefined
}

/** The parts of a context that can be copied to another thread. */
export type ContextData = Omit<ShardingContext, 'signal' | 'logger' | 'saveOffset'>

/** Messages to a worker. The runs of a worker are numbered, because a message may still refer to an earlier run. */
export type ToWorker =
  | { readonly kind: 'run'; readonly run: number; readonly context: ContextData }
  | { readonly kind: 'abort'; readonly run: number; readonly reason: ErrorData }
  | { readonly kind: 'offset-saved'; readonly call: number; readonly error: ErrorData | undefined }

/** Messages from a worker. */
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
