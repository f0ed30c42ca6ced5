import type { Clock } from '../clock.ts'
import { ConfigurationError, type Problem } from '../errors.ts'
import type { ShardingContext } from './context.ts'
import type { Dataflow, ThroughputDataflow } from './dataflow/dataflow.ts'
import { dataflow } from './dataflow/runner.ts'
import { dataflowProblemsOf } from './dataflow/settings.ts'
import { httpType } from './http.ts'
import type { JobType, Runner } from './job-type.ts'
import type { Props } from '../config/props.ts'
import { scriptType } from './script.ts'
import { simple, type SimpleJob } from './simple.ts'

/** A job that its `props` alone describe. */
export interface TypedJob {
  /** `SCRIPT`, `HTTP`, or the name of a custom type. */
  readonly type: string
}

/** The body of a job: a function, a dataflow, the name of a type, or a runner such as `inWorker()`. */
export type JobBody<T = unknown, Parameter = unknown> =
  | SimpleJob<Parameter>
  | Dataflow<T, ShardingContext<Parameter>>
  | TypedJob
  | Runner

export type AnyBody<T> = JobBody<T> | ThroughputDataflow<T>

/** The job types by name, and the runner for every kind of body. */
export class JobTypes {
  readonly #clock: Clock
  readonly #types = new Map<string, JobType>()

  constructor(clock: Clock, custom: readonly JobType[] = []) {
    this.#clock = clock
    for (const type of [scriptType(clock), httpType(clock), ...custom]) this.#add(type)
  }

  get names(): readonly string[] {
    return [...this.#types.keys()]
  }

  /** The problems of a job with this body and these `props`. */
  problemsOf<T>(body: AnyBody<T>, props: Props): readonly Problem[] {
    if (typeof body === 'function') return []
    if (!isObject(body)) return [this.#noBody(body)]
    if (isDataflow(body)) return [...problemsOfDataflow(body), ...dataflowProblemsOf(props)]
    if (isTyped(body)) return this.#problemsOfTyped(body.type, props)
    return isRunner(body) ? [] : [this.#noBody(body)]
  }

  /** The runner of a dataflow is valid for the `dataflow.mode` of these `props`. */
  runnerOf<T>(body: AnyBody<T>, props: Props): Runner {
    const problems = this.problemsOf(body, props)
    if (problems.length > 0) throw new ConfigurationError('the job', problems)
    if (typeof body === 'function') return simple(body)
    if (isDataflow(body)) return dataflow(body, props, this.#clock)
    return isTyped(body) ? this.#get(body.type).runner : body
  }

  #add(type: JobType): void {
    if (this.#types.has(type.name)) {
      const message = `there is a type of this name already; known are ${this.names.join(', ')}`
      throw new ConfigurationError('the job type', [{ key: type.name, message }])
    }
    this.#types.set(type.name, type)
  }

  #problemsOfTyped(name: string, props: Props): readonly Problem[] {
    return this.#types.get(name)?.problemsOf(props) ?? [this.#unknown(name)]
  }

  #get(name: string): JobType {
    const type = this.#types.get(name)
    if (type === undefined) throw new ConfigurationError('the job', [this.#unknown(name)])
    return type
  }

  #unknown(name: unknown): Problem {
    const message = `"${String(name)}" is not known; known are ${this.names.join(', ')}`
    return { key: 'type', message }
  }

  /** A body from untyped code may be any value. */
  #noBody(body: unknown): Problem {
    const names = this.names.map((name) => `"${name}"`).join(', ')
    const message =
      `must be a function, a dataflow with fetchData, { type } with one of ${names}, or a runner ` +
      `such as inWorker(), not ${shownOf(body)}`
    const type =
      typeof body === 'string' ? this.names.find((name) => isSame(name, body)) : undefined
    return {
      key: 'body',
      message: type === undefined ? message : `${message}: pass { type: "${type}" }`,
    }
  }
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null
}

function isRunner(body: object): boolean {
  if (!('run' in body) || !('scope' in body)) return false
  const { run, scope } = body
  return typeof run === 'function' && (scope === 'shard' || scope === 'instance')
}

function isSame(one: string, other: string): boolean {
  return one.toUpperCase() === other.trim().toUpperCase()
}

function shownOf(body: unknown): string {
  if (typeof body === 'string') return `the text "${body}"`
  return isObject(body) ? `an object with ${keysOf(body)}` : String(body)
}

function keysOf(body: object): string {
  return Object.keys(body).slice(0, 5).join(', ') || 'nothing'
}

function isDataflow<T>(body: AnyBody<T>): body is Dataflow<T> | ThroughputDataflow<T> {
  return 'fetchData' in body
}

function isTyped<T>(body: Exclude<AnyBody<T>, Dataflow<T>>): body is TypedJob {
  return !('run' in body) && 'type' in body
}

/** The types allow one way to process data; a body from untyped code may have none or both. */
function problemsOfDataflow<T>(job: Dataflow<T> | ThroughputDataflow<T>): readonly Problem[] {
  const ways = [job.processData, job.processItem].filter((way) => way !== undefined)
  if (typeof job.fetchData !== 'function' || ways.some((way) => typeof way !== 'function')) {
    const message = 'fetchData, processData and processItem must be functions'
    return [{ key: 'dataflow', message }]
  }
  if (ways.length === 1) return []
  return [{ key: 'dataflow', message: 'must have either processData or processItem' }]
}
