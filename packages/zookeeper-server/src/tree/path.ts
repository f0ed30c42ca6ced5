/** The path of the parent; for a child of the root, the root's alias `''`, as everywhere in the tree. */
export function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether a path is valid: absolute, without empty, `.` or `..` parts or control characters. */
export function isValidPath(path: string): boolean {
  const { length } = path
  if (length === 0 || path.charCodeAt(0) !== slash) return false
  if (length === 1) return true
  if (path.charCodeAt(length - 1) === slash) return false
  let partStart = 1
  for (let i = 1; i <= length; i++) {
    const code = i === length ? slash : path.charCodeAt(i)
    if (code === slash) {
      if (i === partStart || isDots(path, partStart, i)) return false
      partStart = i + 1
    } else if (!isAllowed(code)) {
      return false
    }
  }
  return true
}

const slash = 0x2f
const dot = 0x2e

function isDots(path: string, start: number, end: number): boolean {
  if (end - start > 2 || path.charCodeAt(start) !== dot) return false
  return end - start === 1 || path.charCodeAt(start + 1) === dot
}

/** The characters that ZooKeeper accepts: no control characters, surrogates, private use or specials. */
function isAllowed(code: number): boolean {
  if (code < 0x7f) return code > 0x1f
  return code > 0x9f && (code < 0xd800 || (code > 0xf8ff && code < 0xfff0))
}
