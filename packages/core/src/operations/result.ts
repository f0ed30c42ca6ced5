/** The scope and the result of an operation. */
import type { Message } from '../message.ts'

/** The target of an operation: a job, a server in all its jobs, or one job on one server. */
export type Scope =
  | { readonly job: string; readonly server?: string | undefined }
  | { readonly job?: undefined; readonly server: string }

/** The actions of an operator on jobs, servers and shards. */
export type Action =
  | 'trigger'
  | 'pause'
  | 'resume'
  | 'enable'
  | 'disable'
  | 'shutdown'
  | 'remove'
  | 'reshard'
  | 'enable-shard'
  | 'disable-shard'
  | 'stop-run'
  | 'repair'

/** The target of one part of an operation. */
export interface Target {
  readonly jobName: string
  readonly server?: string
  readonly instance?: string
  readonly shard?: number
}

/** One change that was made, or that was not necessary, as text. */
export interface Effect extends Target {
  /** A sentence for people: `server 10.0.0.1 is disabled`. */
  readonly text: string
  /** The same as a message for translation. */
  readonly messageParts: Message
}

export function effectOn(target: Target, messageParts: Message): Effect {
  return { ...target, text: messageParts.text, messageParts }
}

/** One change that was not made, and the reason. */
export interface Omission extends Target {
  readonly reason: string
  /** The same as a message for translation; absent if the text exists in English only. */
  readonly messageParts?: Message
  /** The error; absent if the target was skipped on purpose. */
  readonly error?: unknown
}

export function omissionOf(target: Target, messageParts: Message): Omission {
  return { ...target, reason: messageParts.text, messageParts }
}

/** The result of an operation. */
export interface OperationResult {
  readonly action: Action
  /** The changes that were made. */
  readonly done: readonly Effect[]
  /** Targets that were already in the requested state. */
  readonly unchanged: readonly Effect[]
  /** Targets that were left out without an error: Java instances do not support pausing, for example. */
  readonly skipped: readonly Omission[]
  /** Targets that failed; an operation on many jobs continues with the others. */
  readonly failed: readonly Omission[]
}
