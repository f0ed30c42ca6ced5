import type { JobOptions } from '../config/job-configuration.ts'
import type { OnError } from '../error-handlers/error-handler.ts'
import type { Problem } from '../errors.ts'
import type { StandardSchema } from '../job-types/parameter.ts'

/** The description of a job, and options for this process only. */
export interface ScheduleOptions<Parameter = unknown> extends JobOptions {
  /**
   * The parameter of every shard, instead of `jobParameter`: a JSON value, stored as its text.
   * @default none
   */
  readonly parameter?: Parameter | undefined
  /**
   * Checks the parameter of the job when it is scheduled, when a manual run is triggered, and before each run. A schema
   * of zod, valibot, arktype or another library that follows Standard Schema.
   * @default none
   */
  readonly parameterSchema?: StandardSchema<Parameter> | undefined
  /**
   * Called for every failure of the job in this process, in addition to the error handler; with `jobErrorHandlerType:
   * 'IGNORE'` instead of it.
   * @default none
   */
  readonly onError?: OnError | undefined
}

/** Options from untyped code may have any values. */
export function problemsOfLocal(options: ScheduleOptions): readonly Problem[] {
  const { onError, parameter, parameterSchema, jobParameter } = options
  const problems: Problem[] = []
  if (onError !== undefined && typeof onError !== 'function') {
    problems.push({ key: 'onError', message: 'must be a function that is given the failure' })
  }
  if (parameter !== undefined && jobParameter !== undefined) {
    problems.push({ key: 'parameter', message: 'is set twice, here and as jobParameter' })
  }
  if (parameterSchema !== undefined && !isSchema(parameterSchema)) {
    const message = 'must be a schema that follows Standard Schema, such as one of zod'
    problems.push({ key: 'parameterSchema', message })
  }
  return problems
}

/** Schemas of some libraries are functions. */
function isSchema(schema: unknown): boolean {
  const isCandidate =
    (typeof schema === 'object' && schema !== null) || typeof schema === 'function'
  if (!isCandidate || !('~standard' in schema)) return false
  const standard = schema['~standard'] as Partial<StandardSchema['~standard']> | undefined
  return typeof standard?.validate === 'function'
}
