import { baseName } from './path.ts'

export const quotaRoot = '/zookeeper/quota'

const limitsName = 'zookeeper_limits'
const statsName = 'zookeeper_stats'

/** What a quota limits, or what is used of it. Minus one says that there is no such number. */
export interface Usage {
  readonly count: number
  readonly bytes: number
  readonly countHardLimit: number
  readonly byteHardLimit: number
}

/** Reads the text of a quota node: `count=1,bytes=2=;byteHardLimit=3;countHardLimit=4`. */
export function parseUsage(data: Uint8Array | null): Usage {
  const values = new Map<string, number>()
  for (const pair of Buffer.from(data ?? [])
    .toString()
    .split(/[,;]+/)) {
    const [key, value] = pair.split('=')
    if (key === undefined || value === undefined || !/^-?\d+$/.test(value)) continue
    values.set(key, Number(value))
  }
  return {
    count: values.get('count') ?? -1,
    bytes: values.get('bytes') ?? -1,
    countHardLimit: values.get('countHardLimit') ?? -1,
    byteHardLimit: values.get('byteHardLimit') ?? -1,
  }
}

export function isBeyond(used: number, limit: number): boolean {
  return limit > -1 && used > limit
}

/** The text of a node that says how much is used. */
export function formatUsage(count: number, bytes: number): Uint8Array {
  return Buffer.from(`count=${count},bytes=${bytes}`)
}

/** The subtree that a node below `/zookeeper/quota` with this name speaks of. */
function subject(path: string, name: string): string | undefined {
  if (!path.startsWith(`${quotaRoot}/`) || baseName(path) !== name) return undefined
  return path.slice(quotaRoot.length, -name.length - 1)
}

export function limitsSubject(path: string): string | undefined {
  return subject(path, limitsName)
}

export function statsSubject(path: string): string | undefined {
  return subject(path, statsName)
}

export function limitsPath(prefix: string): string {
  return `${quotaRoot}${prefix}/${limitsName}`
}

export function statsPath(prefix: string): string {
  return `${quotaRoot}${prefix}/${statsName}`
}

/** The subtrees that have a quota. Usually none: asking has to cost nothing then. */
export class QuotaPrefixes {
  readonly #prefixes = new Set<string>()

  add(prefix: string): void {
    if (prefix !== '') this.#prefixes.add(prefix)
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#prefixes.values()
  }

  delete(prefix: string): void {
    this.#prefixes.delete(prefix)
  }

  /** The deepest subtree with a quota that this path belongs to. */
  of(path: string): string | undefined {
    if (this.#prefixes.size === 0) return undefined
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
      const prefix = path.slice(0, at)
      if (this.#prefixes.has(prefix)) return prefix
    }
    return undefined
  }
}
