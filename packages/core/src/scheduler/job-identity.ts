/** Which job a name stands for: instances of two different jobs must never share one. */
import { isJavaInstance } from '../job-tree/instance-id.ts'

/** What the registry says a job is: a class of Java's, or a type such as SCRIPT. */
export interface StoredIdentity {
  /** Empty if nothing in the registry says it. */
  readonly text: string
  /** The node that says it. */
  readonly source: string
}

/** What a program says a job is. */
export interface DeclaredIdentity {
  /** The class that the option `jobClass` names. */
  readonly jobClass: string | undefined
  /** The type of a body that is described by its type alone; undefined for code. */
  readonly jobType: string | undefined
}

/** What the job's root node says of it afterwards; empty if the declaration names nothing. */
export function identityTextOf({ jobClass, jobType }: DeclaredIdentity): string {
  return jobClass ?? jobType ?? ''
}

/** Why a program cannot take part in a job; undefined if it can. */
export function conflictOf(
  jobName: string,
  stored: StoredIdentity,
  declared: DeclaredIdentity,
  instances: ReadonlySet<string>,
): string | undefined {
  const here = identityTextOf(declared)
  if (stored.text === here) return undefined
  if (stored.text !== '') {
    const isClass = stored.text.includes('.')
    const advice =
      here === '' && isClass
        ? `schedule it with jobClass "${stored.text}" if this is the same job, else ${otherName}`
        : otherName
    return `job ${jobName} is "${stored.text}" in the registry (${stored.source}), and ${textOf(declared)} here; ${advice}`
  }
  if (declared.jobType === undefined) return undefined
  const other = [...instances].find((id) => !isJavaInstance(id))
  if (other === undefined) return undefined
  return `job ${jobName} runs as a function on ${other}, and is "${here}" here; stop the instances that run it as a function, or ${otherName}`
}

const otherName = 'give one of the two another name, or remove the job that is there'

function textOf(declared: DeclaredIdentity): string {
  const text = identityTextOf(declared)
  return text === '' ? 'a function without jobClass' : `"${text}"`
}

/**
 * Whether the root node is to say what the job is. While instances of ours run a job that nothing names, it
 * stays so: the older ones among them could not come back.
 */
export function isNamedOnJoining(
  stored: StoredIdentity,
  declared: DeclaredIdentity,
  instances: ReadonlySet<string>,
): boolean {
  if (stored.text !== '' || identityTextOf(declared) === '') return false
  return [...instances].every((id) => isJavaInstance(id))
}
