import type { Random } from '../random.ts'

/** Separates the address from the suffix, here and in task ids. */
const delimiter = '@-@'

const tokenLength = 8
const letters = 'abcdefghijklmnopqrstuvwxyz'
const alphabet = `${letters}0123456789`

/** The parts of an instance's id. */
export interface InstanceIdentity {
  /** The address of its host, the name of its `servers` node. */
  readonly ip: string
  /** Distinguishes the instances of one host: Java's process id, or a native one followed by a token. */
  readonly suffix: string
}

/**
 * An id for one session of one process: `{ip}@-@{pid}-{token}`. The token is new for every session, because in
 * containers every process has the id 1. So an instance that is gone never comes back under the same id.
 */
export function newInstanceId(ip: string, pid: number, random: Random): string {
  return `${ip}${delimiter}${pid}-${newToken(random)}`
}

/** Starts with a letter, so that no reader takes the suffix for a number. */
function newToken(random: Random): string {
  let token = pick(letters, random)
  while (token.length < tokenLength) token += pick(alphabet, random)
  return token
}

function pick(characters: string, random: Random): string {
  return characters[Math.floor(random.fraction() * characters.length)] as string
}

/** The parts of an id; undefined unless it has exactly one `@-@` with text on both sides. */
export function parseInstanceId(id: string): InstanceIdentity | undefined {
  const [ip, suffix, ...more] = id.split(delimiter)
  if (!ip || !suffix || more.length > 0) return undefined
  return { ip, suffix }
}

/** Whether an id has Java's form: address and process id only. */
export function isJavaInstance(id: string): boolean {
  const at = id.indexOf(delimiter)
  return at > 0 && /^\d+$/.test(id.slice(at + delimiter.length))
}

/**
 * The address part of an id: the name of its `servers` node. Compared as a whole, so that 10.0.0.1 does not match
 * 10.0.0.12.
 */
export function serverOf(id: string): string {
  const at = id.indexOf(delimiter)
  return at === -1 ? id : id.slice(0, at)
}
