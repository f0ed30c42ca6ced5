/** The parameter of a job as a value: JSON in the registry, checked by a schema if the job has one. */
import { ElasticJobError } from '../errors.ts'
import type { MultiShardingContext, ShardingContext } from './context.ts'
import type { Runner } from './job-type.ts'

/** A schema of zod, valibot, arktype or any other library that follows Standard Schema (version 1). */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] }

interface ValidationIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The value of a stored parameter: undefined if it is empty, and the text itself if it is not JSON. */
export function parameterOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The stored text of a parameter. Text is stored unchanged, because Java instances read it. */
export function storedParameter(jobName: string, parameter: unknown): string {
  if (typeof parameter === 'string') return parameter
  const text = storable(parameter)
  if (text !== undefined) return text
  throw new ElasticJobError(
    'JOB_PARAMETER_INVALID',
    `the parameter of job ${jobName} cannot be stored: it must be a JSON value, not ${typeof parameter}`,
  )
}

function storable(parameter: unknown): string | undefined {
  try {
    return JSON.stringify(parameter)
  } catch {
    // A cycle, a bigint, or a toJSON() that throws.
    return undefined
  }
}

/** The value that the schema returns, possibly converted. */
export async function validParameter<Parameter>(
  jobName: string,
  schema: StandardSchema<Parameter>,
  value: unknown,
): Promise<Parameter> {
  const validation = await schema['~standard'].validate(value)
  if (validation.issues === undefined) return validation.value
  const issues = validation.issues.map(({ message, path = [] }) => {
    const place = path.map((one) => String(typeof one === 'object' ? one.key : one)).join('.')
    return place === '' ? message : `${place}: ${message}`
  })
  throw new ElasticJobError(
    'JOB_PARAMETER_INVALID',
    `the parameter of job ${jobName} is not valid: ${issues.join('; ')}`,
  )
}

/** Wraps a runner to check the parameter. A run with an invalid parameter fails. */
export function withValidParameter(runner: Runner, schema: StandardSchema | undefined): Runner {
  if (schema === undefined) return runner
  const stop = runner.stop?.bind(runner)
  const rest = stop === undefined ? {} : { stop }
  if (runner.scope === 'shard') {
    return {
      ...rest,
      scope: 'shard',
      async run(context, control) {
        await setParameter([context], schema)
        await runner.run(context, control)
      },
    }
  }
  return {
    ...rest,
    scope: 'instance',
    async run(context, control) {
      await setParameter([context, ...context.shardingItems], schema)
      await runner.run(context, control)
    },
  }
}

async function setParameter(
  contexts: readonly [ShardingContext | MultiShardingContext, ...ShardingContext[]],
  schema: StandardSchema,
): Promise<void> {
  const [{ jobName, jobParameter }] = contexts
  const value = await validParameter(jobName, schema, parameterOf(jobParameter))
  for (const context of contexts) {
    Object.defineProperty(context, 'parameter', { value, enumerable: true, configurable: true })
  }
}
