/** Splits data into at most this many parts, all but the last of the same size. */
export function chunksOf<T>(data: readonly T[], parts: number): T[][] {
  const size = Math.ceil(data.length / parts)
  const chunks: T[][] = []
  for (let start = 0; start < data.length; start += size) {
    chunks.push(data.slice(start, start + size))
  }
  return chunks
}
