/** The dump ports of a process: one for all jobs as in 3.x, and one for each job that configures its own. */
import type { Clock } from '../../clock.ts'
import type { ResolvedDumpOptions } from '../../config/dump-options.ts'
import type { Emit } from '../../events.ts'
import { readCommand } from './command.ts'
import { DumpPort } from './dump-port.ts'

export interface DumpHost {
  readonly clock: Clock
  readonly emit: Emit
  /** The tree of a job as text. */
  dump(jobName: string): Promise<string>
}

const refusal =
  'this port wants its token: send "TOKEN dump@JOB", or "TOKEN dump" to a job\'s own\n'

export class DumpPorts {
  readonly #options: ResolvedDumpOptions
  readonly #host: DumpHost
  readonly #wanted = new Map<string, number>()
  readonly #open = new Map<string | undefined, DumpPort>()
  /**
   * Ports are opened and closed one after the other: a port that one job gives up may be the port that another job
   * needs.
   */
  #changes: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: ResolvedDumpOptions, host: DumpHost) {
    this.#options = options
    this.#host = host
  }

  /** Opens the port of the process, if one is configured. */
  async start(): Promise<void> {
    const { port } = this.#options
    if (port !== undefined) await this.#listen(undefined, port)
  }

  /** Sets the port of a job; undefined for none. */
  follow(jobName: string, port: number | undefined): void {
    if (this.#stopped || this.#wanted.get(jobName) === port) return
    if (port === undefined) this.#wanted.delete(jobName)
    else this.#wanted.set(jobName, port)
    this.#changes = this.#changes.then(async () => {
      await this.#close(jobName)
      // A later call may have changed the port in the meantime; its own change is queued behind this one.
      if (port === undefined || this.#stopped || this.#wanted.get(jobName) !== port) return
      await this.#listen(jobName, port)
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#changes
    await Promise.all([...this.#open.keys()].map((jobName) => this.#close(jobName)))
  }

  /** Opens a port. A port that is in use must not keep jobs from running, so a failure is only reported. */
  async #listen(jobName: string | undefined, port: number): Promise<void> {
    const { host } = this.#options
    const { clock, emit } = this.#host
    try {
      const answer = (line: string): Promise<string | undefined> => this.#answer(line, jobName)
      const opened = await DumpPort.open({ host, port, clock, answer })
      this.#open.set(jobName, opened)
      emit('dump:listening', { jobName, host, port: opened.port })
    } catch (error) {
      emit('dump:failed', { jobName, host, port, error })
    }
  }

  async #close(jobName: string | undefined): Promise<void> {
    const opened = this.#open.get(jobName)
    this.#open.delete(jobName)
    await opened?.close()
  }

  async #answer(line: string, ownJob: string | undefined): Promise<string | undefined> {
    const command = readCommand(line, this.#options.token, ownJob)
    if (command === 'refused') return refusal
    return command === undefined ? undefined : this.#host.dump(command.jobName)
  }
}
