/**
 * A problem with stored data. It is a value, not an exception, so that one bad node does not break a loop over many.
 */
import { message, type Message } from '../message.ts'

export interface DecodeProblem {
  /** The node, or the file, that holds the data. */
  readonly path: string
  /** The problem that was found. */
  readonly what: Message
  /** The expected value. */
  readonly expected: Message
}

export type Decoded<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: DecodeProblem }

/** The whole problem as one sentence. */
export function reasonOf({ path, what, expected }: DecodeProblem): Message {
  return message('data-unreadable', { path, problem: what, expected })
}
