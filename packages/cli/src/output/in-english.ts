/** Removes the translation parts of messages from JSON, which contains their English text as well. */
export function inEnglish(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !parted.has(key)))
}

const parted: ReadonlySet<string> = new Set(['messageParts', 'problemParts', 'obstacleParts'])
