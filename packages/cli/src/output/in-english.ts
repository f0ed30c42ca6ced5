/** For programs that read JSON: without the parts of sentences, whose English stands beside them. */
export function inEnglish(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !parted.has(key)))
}

const parted: ReadonlySet<string> = new Set(['said', 'problemSaid', 'obstacleSaid'])
