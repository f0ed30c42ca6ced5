/** The identity of a job: instances of two different jobs must never share a name. */
import { isJavaInstance } from '../job-tree/instance-id.ts'

/** The identity of a job in the registry: a Java class, or a type such as SCRIPT. */
export interface StoredIdentity {
  /** Empty if the registry does not store it. */
  readonly text: string
  /** The node that stores it. */
  readonly source: string
}

/** The identity of a job that a program declares. */
export interface DeclaredIdentity {
  /** The class in the option `jobClass`. */
  readonly jobClass: string | undefined
  /** The type of a body that only has a type; undefined for code. */
  readonly jobType: string | undefined
}

/** The identity to store on the job's root node; empty if the declaration names none. */
export function identityTextOf({ jobClass, jobType }: DeclaredIdentity): string {
  return jobClass ?? jobType ?? ''
}

/** The conflict that prevents a program from taking part in a job; undefined if there is none. */
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
 * Whether the joining instance stores the identity on the root node. While native instances run a job without an
 * identity, it stays without one: instances of older versions could not join again.
 */
export function isNamedOnJoining(
  stored: StoredIdentity,
  declared: DeclaredIdentity,
  instances: ReadonlySet<string>,
): boolean {
  if (stored.text !== '' || identityTextOf(declared) === '') return false
  return [...instances].every((id) => isJavaInstance(id))
}
