/** Java's `String.hashCode`: 32 bits, over UTF-16 code units. */
export function javaHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0
  return hash
}

/**
 * By how many places Java rotates a list for a hash. For the one hash whose absolute value does not fit into 32 bits,
 * Java computes a negative index and the job fails; here it is a rotation like any other.
 */
export function javaOffset(hash: number, size: number): number {
  return Math.abs(hash) % size
}

/** The list rotated to begin at an offset. */
export function rotated<T>(list: readonly T[], offset: number): T[] {
  return [...list.slice(offset), ...list.slice(0, offset)]
}
