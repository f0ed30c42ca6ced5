import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

import type { Clock, Timer } from '../../clock.ts'
import type { Command } from './command-line.ts'
import { ProcessGroup } from './process-group.ts'

export interface ProcessOptions {
  readonly command: Command
  readonly environment: NodeJS.ProcessEnv
  /** Not aborted yet. */
  readonly signal: AbortSignal
  /** The timeout of the process, in milliseconds; 0 for none. */
  readonly timeout: number
  readonly clock: Clock
  onStdout(chunk: Buffer): void
  onStderr(chunk: Buffer): void
}

/** The end of a process. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why the process was asked to end; undefined if it was not. */
  readonly stoppedBy: 'abort' | 'timeout' | undefined
}

/** Milliseconds between SIGTERM and SIGKILL, and between SIGKILL and giving up on a member of the group. */
const grace = 5_000
/** Milliseconds between checks of the group, at first and at most. */
const firstLook = 50
const longestLook = 1_000
/** Milliseconds to read the rest of the pipes after the process has ended, if another process keeps them open. */
const drainTime = 500

type Child = ChildProcessByStdio<null, Readable, Readable>

/**
 * Runs a program in its own process group, without a shell. The promise settles when the program has ended and its
 * pipes are closed. After an abort or a timeout it also waits until no member of the group is left. A process that has
 * left the group does not delay it.
 */
export function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = options.command
    const child = spawn(program, args, {
      // In its own group the program can be ended together with all processes that it starts.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.environment,
      windowsHide: true,
    })
    if (child.pid === undefined) {
      child.once('error', reject)
      return
    }
    // A program that fails to start is handled above; no further error is expected.
    child.once('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => options.onStdout(chunk))
    child.stderr.on('data', (chunk: Buffer) => options.onStderr(chunk))
    new Supervision(options, child, new ProcessGroup(child.pid), resolve).begin()
  })
}

/** Supervises one process until it is completely over. */
class Supervision {
  readonly #options: ProcessOptions
  readonly #child: Child
  readonly #group: ProcessGroup
  readonly #resolve: (end: ProcessEnd) => void
  readonly #abort = (): void => this.#stop('abort')
  readonly #timers = new Set<Timer>()
  #stoppedBy: ProcessEnd['stoppedBy']
  #ended: Pick<ProcessEnd, 'code' | 'signal'> | undefined
  #pipesClosed = false
  #givenUp = false
  #draining = false
  #nextLook: Timer | undefined

  constructor(
    options: ProcessOptions,
    child: Child,
    group: ProcessGroup,
    resolve: (end: ProcessEnd) => void,
  ) {
    this.#options = options
    this.#child = child
    this.#group = group
    this.#resolve = resolve
  }

  begin(): void {
    const { signal, timeout } = this.#options
    this.#child.once('exit', (code, name) => {
      this.#ended = { code, signal: name }
      this.#look()
    })
    this.#child.once('close', () => {
      this.#pipesClosed = true
      this.#look()
    })
    signal.addEventListener('abort', this.#abort)
    if (timeout > 0) this.#after(timeout, () => this.#stop('timeout'))
  }

  #stop(reason: 'abort' | 'timeout'): void {
    if (this.#stoppedBy !== undefined) return
    this.#stoppedBy = reason
    this.#group.signal('SIGTERM')
    this.#after(grace, () => {
      this.#group.signal('SIGKILL')
      this.#after(grace, () => {
        this.#givenUp = true
        this.#look()
      })
    })
  }

  /** No event announces the end of a group, so it is polled at growing intervals. */
  #look(pause = firstLook): void {
    this.#nextLook?.cancel()
    if (this.#ended === undefined) return
    const mustBeGone = this.#stoppedBy !== undefined && !this.#givenUp
    if (this.#pipesClosed && !mustBeGone) return this.#settle(this.#ended)
    if (this.#givenUp || !this.#group.isAlive()) {
      return this.#pipesClosed ? this.#settle(this.#ended) : this.#drain(this.#ended)
    }
    this.#nextLook = this.#after(pause, () => this.#look(Math.min(pause * 2, longestLook)))
  }

  /** Another process keeps the pipes open: reads the rest of their content, then closes them. */
  #drain(end: Pick<ProcessEnd, 'code' | 'signal'>): void {
    if (this.#draining) return
    this.#draining = true
    this.#after(drainTime, () => this.#settle(end))
  }

  #settle(end: Pick<ProcessEnd, 'code' | 'signal'>): void {
    this.#options.signal.removeEventListener('abort', this.#abort)
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    this.#resolve({ ...end, stoppedBy: this.#stoppedBy })
  }

  #after(milliseconds: number, act: () => void): Timer {
    const timer = this.#options.clock.setTimer(() => {
      this.#timers.delete(timer)
      act()
    }, milliseconds)
    this.#timers.add(timer)
    return timer
  }
}
