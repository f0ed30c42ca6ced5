import type { Clock } from '../clock.ts'
import { ConfigurationError, type Problem } from '../errors.ts'
import type { Dataflow, ThroughputDataflow } from './dataflow/dataflow.ts'
import { dataflow } from './dataflow/runner.ts'
import { dataflowProblemsOf } from './dataflow/settings.ts'
import { httpType } from './http.ts'
import type { JobType, Runner } from './job-type.ts'
import type { Props } from '../config/props.ts'
import { scriptType } from './script.ts'
import { simple, type SimpleJob } from './simple.ts'

/** A job that is described by its `props` alone. */
export interface TypedJob {
  /** `SCRIPT`, `HTTP`, or the name of a type of one's own. */
  readonly type: string
}

/** What a job does: a function, a dataflow, a type by its name, or a runner such as `inWorker()`. */
export type JobBody<T = unknown> = SimpleJob | Dataflow<T> | TypedJob | Runner

type AnyBody<T> = JobBody<T> | ThroughputDataflow<T>

/** The types of jobs that are known by name, and how every kind of body runs. */
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

  /** What is wrong with a job of this body and these `props`. */
  problemsOf<T>(body: AnyBody<T>, props: Props): readonly Problem[] {
    if (isDataflow(body)) return [...problemsOfDataflow(body), ...dataflowProblemsOf(props)]
    if (isTyped(body)) return this.#problemsOfTyped(body.type, props)
    return typeof body === 'function' || 'run' in body ? [] : [noBody]
  }

  /** Of a dataflow, the runner holds for the `dataflow.mode` of these `props`. */
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

  #unknown(name: string): Problem {
    return { key: 'type', message: `"${name}" is not known; known are ${this.names.join(', ')}` }
  }
}

/** A body that was not compiled may be anything. */
const noBody: Problem = {
  key: 'body',
  message: 'must be a function, a dataflow with fetchData, a type such as SCRIPT, or a runner',
}

function isDataflow<T>(body: AnyBody<T>): body is Dataflow<T> | ThroughputDataflow<T> {
  return 'fetchData' in body
}

function isTyped<T>(body: Exclude<AnyBody<T>, Dataflow<T>>): body is TypedJob {
  return !('run' in body) && 'type' in body
}

/** The types allow one way to process data; a body that was not compiled may have none or both. */
function problemsOfDataflow<T>(job: Dataflow<T> | ThroughputDataflow<T>): readonly Problem[] {
  const ways = [job.processData, job.processItem].filter((way) => way !== undefined)
  if (ways.length === 1) return []
  return [{ key: 'dataflow', message: 'must have either processData or processItem' }]
}
