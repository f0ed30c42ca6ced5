/** Paths of nodes in the registry, and their validation. */

/** Control characters, surrogates, private use and the non-characters at the end of the plane. */
const forbidden = '\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\uf8ff\\ufff0-\\uffff'
const forbiddenCharacter = new RegExp(`[${forbidden}]`)
const validPath = new RegExp(`^(?:/(?!\\.{1,2}(?:/|$))[^/${forbidden}]+)+$`)

/** The problem of a node path; undefined if the path is valid. */
export function problemOfPath(path: string): string | undefined {
  if (path === '/' || validPath.test(path)) return undefined
  return `invalid path ${JSON.stringify(path)}: ${reasonAgainst(path)}`
}

function reasonAgainst(path: string): string {
  if (!path.startsWith('/')) return 'it must begin with "/"'
  if (path.endsWith('/')) return 'it must not end with "/"'
  const position = path.search(forbiddenCharacter)
  if (position !== -1) {
    const hex = path.charCodeAt(position).toString(16).toUpperCase().padStart(4, '0')
    return `the character U+${hex} at position ${position} is not allowed`
  }
  const empty = path.indexOf('//')
  if (empty !== -1) return `the name at position ${empty + 1} is empty`
  return 'the names "." and ".." are not allowed'
}

/** The parent's path; the root is its own parent. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at <= 0 ? '/' : path.slice(0, at)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

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
