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
  /** Milliseconds after which the process is ended; 0 for none. */
  readonly timeout: number
  readonly clock: Clock
  onStdout(chunk: Buffer): void
  onStderr(chunk: Buffer): void
}

/** How a process has ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why it was told to end, if it was. */
  readonly stoppedBy: 'abort' | 'timeout' | undefined
}

/** Milliseconds between SIGTERM and SIGKILL, and between SIGKILL and giving up on a member. */
const grace = 5_000
/** Milliseconds between looks at the group, at first and at most. */
const firstLook = 50
const longestLook = 1_000
/** Milliseconds for what the ended process has left in its pipes, if somebody else keeps them open. */
const drainTime = 500

type Child = ChildProcessByStdio<null, Readable, Readable>

/**
 * Runs a program in a process group of its own, without a shell. The promise settles when the whole
 * of it is over: the program has ended and its pipes are closed. After an abort or a timeout nobody
 * of the group is left either. A process that has left the group keeps nothing waiting.
 */
export function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const [program, ...args] = options.command
    const child = spawn(program, args, {
      // A group of its own: what the program starts can then be ended together with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.environment,
      windowsHide: true,
    })
    if (child.pid === undefined) {
      child.once('error', reject)
      return
    }
    // A run that has not begun ends with an error above; after that there is none to be expected.
    child.once('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => options.onStdout(chunk))
    child.stderr.on('data', (chunk: Buffer) => options.onStderr(chunk))
    new Supervision(options, child, new ProcessGroup(child.pid), resolve).begin()
  })
}

/** Watches over one process until all of it is over. */
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

  /** No event tells of the end of a group, so it is looked at, less and less often. */
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

  /** Somebody outside keeps the pipes open: what is in them is still read, then they are let go. */
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
