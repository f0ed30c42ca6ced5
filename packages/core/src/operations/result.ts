/** What an operator asks for, and what came of it. */
import type { Message } from '../message.ts'

/** Whom an operation is for: a job, a server in all its jobs, or one job on one server. */
export type Scope =
  | { readonly job: string; readonly server?: string | undefined }
  | { readonly job?: undefined; readonly server: string }

/** What an operator can do to jobs, servers and shards. */
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

/** Whom a part of an operation was for. */
export interface Target {
  readonly jobName: string
  readonly server?: string
  readonly instance?: string
  readonly shard?: number
}

/** One thing that was done, or that was so already, as text. */
export interface Effect extends Target {
  /** A sentence for people: `server 10.0.0.1 is disabled`. */
  readonly text: string
  /** The same with its parts, for other languages. */
  readonly messageParts: Message
}

export function effectOn(target: Target, messageParts: Message): Effect {
  return { ...target, text: messageParts.text, messageParts }
}

/** One thing that was not done, and why. */
export interface Omission extends Target {
  readonly reason: string
  /** The same with its parts, for other languages; absent if it is English alone. */
  readonly messageParts?: Message
  /** What went wrong; absent if it was left out on purpose. */
  readonly error?: unknown
}

export function omissionOf(target: Target, messageParts: Message): Omission {
  return { ...target, reason: messageParts.text, messageParts }
}

/** What an operation came to, by name. */
export interface OperationResult {
  readonly action: Action
  /** What is different now. */
  readonly done: readonly Effect[]
  /** What was asked for and was so before. */
  readonly unchanged: readonly Effect[]
  /** Whom it did not reach, although nothing went wrong: Java instances know no pause, for example. */
  readonly skipped: readonly Omission[]
  /** What went wrong; an operation on many jobs goes on with the others. */
  readonly failed: readonly Omission[]
}
