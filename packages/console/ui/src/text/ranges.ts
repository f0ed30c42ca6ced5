/** `0-3, 7`: neighbours are written together. */
export function ranges(items: readonly number[]): string {
  const sorted = [...new Set(items)].toSorted((a, b) => a - b)
  const parts: { first: number; last: number }[] = []
  for (const item of sorted) {
    const part = parts.at(-1)
    if (part !== undefined && part.last === item - 1) part.last = item
    else parts.push({ first: item, last: item })
  }
  return parts
    .map(({ first, last }) => {
      if (first === last) return String(first)
      return last === first + 1 ? `${first}, ${last}` : `${first}–${last}`
    })
    .join(', ')
}
