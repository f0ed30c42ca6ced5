/** The nodes of a job that cannot be read, as far as this instance has read them. */
import { type DecodeProblem, reasonOf } from '../decode/problem.ts'
import type { Emit } from '../events.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import type { Message, MessageValue } from '../message.ts'
import type { JobReplica } from './replica.ts'

export class JobHealth {
  readonly #jobName: string
  readonly #emit: Emit
  /** The reason, by path. */
  readonly #broken = new MostlyEmptyMap<string, string>()

  constructor(jobName: string, emit: Emit) {
    this.#jobName = jobName
    this.#emit = emit
  }

  get isBroken(): boolean {
    return this.#broken.size > 0
  }

  /** Records the result of reading a node; `problem` is undefined if the node could be read. */
  read(path: string, problem: DecodeProblem | undefined): void {
    this.note(path, problem === undefined ? undefined : reasonOf(problem))
  }

  /** Records the problems of the job's own nodes in a replica. */
  follow({ problems, paths }: Pick<JobReplica, 'problems' | 'paths'>): void {
    for (const path of [paths.jobState, paths.assignment]) this.read(path, problems.get(path))
  }

  note(path: string, reason: Message | undefined): void {
    if (reason === undefined) {
      if (!this.#broken.has(path)) return
      this.forget(path)
      if (!this.isBroken) this.#emit('job:recovered', { jobName: this.#jobName })
      return
    }
    if (this.#broken.get(path) === reason.text) return
    this.#broken.set(path, reason.text)
    this.#emit('job:broken', { jobName: this.#jobName, path, reason: reason.text })
  }

  /** This instance does not read the node any more. */
  forget(path: string): void {
    this.#broken.delete(path)
  }
}

/** Why a job is broken, according to its replica. */
export function brokenBy({ problems }: Pick<JobReplica, 'problems'>): MessageValue {
  const [problem] = problems.values()
  return problem === undefined ? '' : reasonOf(problem)
}
