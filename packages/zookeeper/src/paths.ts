import { ZooKeeperError } from './errors.ts'

/** Throws for a path that the server would reject, and says what is wrong. */
export function validatePath(path: string, sequential: boolean = false): void {
  const problem = problemOf(path, sequential)
  if (problem !== undefined) throw problem
}

/**
 * Returns what is wrong with a path, or undefined. A trailing slash is valid only for a sequential node,
 * whose number is then its whole name.
 */
export function problemOf(path: string, sequential: boolean = false): ZooKeeperError | undefined {
  if (typeof path !== 'string') return invalid(String(path), 'it must be a string')
  if (path.charCodeAt(0) !== slash) return invalid(path, 'it must begin with "/"')
  const { length } = path
  if (length === 1) return undefined
  let segment = 1
  for (let i = 1; i <= length; i++) {
    const code = i === length ? slash : path.charCodeAt(i)
    if (code === slash) {
      const isSequence = i === length && sequential && segment === i
      const problem = isSequence ? undefined : problemOfSegment(path, segment, i)
      if (problem !== undefined) return problem
      segment = i + 1
    } else if (code < 0x20 || (code >= 0x7f && isForbidden(code))) {
      return invalid(path, `the character U+${hex(code)} at position ${i} is not allowed`)
    }
  }
  return undefined
}

const slash = 0x2f
const dot = 0x2e

function problemOfSegment(path: string, from: number, to: number): ZooKeeperError | undefined {
  if (from === to) {
    const reason =
      to === path.length ? 'it must not end with "/"' : `the name at position ${from} is empty`
    return invalid(path, reason)
  }
  if (path.charCodeAt(from) !== dot) return undefined
  const isDots = to - from === 1 || (to - from === 2 && path.charCodeAt(from + 1) === dot)
  return isDots ? invalid(path, `the name "${path.slice(from, to)}" is not allowed`) : undefined
}

/** Control characters, surrogates, private use and the non-characters at the end of the plane. */
function isForbidden(code: number): boolean {
  return code <= 0x9f || (code >= 0xd800 && code <= 0xf8ff) || code >= 0xfff0
}

function hex(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}

function invalid(path: string, reason: string): ZooKeeperError {
  return new ZooKeeperError('ZK_INVALID_PATH', `invalid path ${JSON.stringify(path)}: ${reason}`, {
    path,
  })
}

/** The parent's path; the root is its own parent. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at <= 0 ? '/' : path.slice(0, at)
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The path of a child. */
export function childOf(parent: string, name: string): string {
  return parent === '/' ? `/${name}` : `${parent}/${name}`
}

/** The ancestors of a path, from the top down, without the root. */
export function ancestorsOf(path: string): string[] {
  const ancestors: string[] = []
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) {
    ancestors.push(path.slice(0, at))
  }
  return ancestors
}

/** Whether a path is the root of a subtree or lies in it. */
export function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || (path.startsWith(root) && path[root.length] === '/')
}
