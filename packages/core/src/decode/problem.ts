/** Stored data that cannot be read: told as a value, so that one bad node is never an exception in a loop over many. */
import { message, type Message } from '../message.ts'

export interface DecodeProblem {
  /** The node, or the file, that holds the data. */
  readonly path: string
  /** What is wrong. */
  readonly what: Message
  /** What would be right. */
  readonly expected: Message
}

export type Decoded<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: DecodeProblem }

/** Both parts of a problem in one sentence. */
export function reasonOf({ path, what, expected }: DecodeProblem): Message {
  return message('data-unreadable', { path, problem: what, expected })
}
