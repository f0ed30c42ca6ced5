/** What an operator asks for, and what came of it. */
import type { Sentence } from '../sentence.ts'

/** Whom an operation is for: a job, a server in all its jobs, or one job on one server. */
export type Scope =
  | { readonly job: string; readonly server?: string | undefined }
  | { readonly job?: undefined; readonly server: string }

/** What an operator can do to jobs, servers and items. */
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

/** Whom a part of an operation was for. */
export interface Target {
  readonly jobName: string
  readonly server?: string
  readonly instance?: string
  readonly item?: number
}

/** One thing that was done, or that was so already, in words. */
export interface Effect extends Target {
  /** A sentence for people: `server 10.0.0.1 is disabled`. */
  readonly text: string
  /** The same with its parts, for other languages. */
  readonly said: Sentence
}

export function effectOn(target: Target, said: Sentence): Effect {
  return { ...target, text: said.text, said }
}

/** One thing that was not done, and why. */
export interface Omission extends Target {
  readonly reason: string
  /** The same with its parts, for other languages; absent if it is English alone. */
  readonly said?: Sentence
  /** What went wrong; absent if it was left out on purpose. */
  readonly error?: unknown
}

export function omissionOf(target: Target, said: Sentence): Omission {
  return { ...target, reason: said.text, said }
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
