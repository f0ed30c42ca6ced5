/** What is taken out of a dump, which people send to each other. */
import { isScalar, type Node, visit } from 'yaml'

import { textOf, YamlDocument, YamlProblem } from '../config/snake-yaml/document.ts'

const octet = String.raw`(?:25[0-5]|2[0-4]\d|1\d{2}|[1-9]?\d)`
const address = new RegExp(String.raw`${octet}(?:\.${octet}){3}`, 'g')

/** Gives every address another name, `ip1`, `ip2` …, and the same address always the same one. */
export class AddressMask {
  readonly #names = new Map<string, string>()

  mask(text: string): string {
    return text.replaceAll(address, (found) => {
      let name = this.#names.get(found)
      if (name === undefined) {
        name = `ip${this.#names.size + 1}`
        this.#names.set(found, name)
      }
      return name
    })
  }
}

const secret = /password|passwd|secret|token|credential|webhook/i
const hidden = '******'

/**
 * A configuration without the values of keys that are named like secrets: those of error handlers, and of
 * the data sources that Java's tracing keeps there in clear.
 */
export function maskSecrets(text: string): string {
  if (!secret.test(text)) return text
  try {
    return withoutSecrets(text, new YamlDocument(text).root)
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    // Nobody knows where a value ends: whatever stands in such a line goes.
    return text.replaceAll(/^.*(?:password|passwd|secret|token|credential|webhook).*$/gim, hidden)
  }
}

function withoutSecrets(text: string, root: Node | undefined): string {
  const ranges: { readonly from: number; readonly to: number }[] = []
  visit(root ?? null, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !secret.test(textOf(key))) return undefined
      const [from, to] = (value as Node | null)?.range ?? [0, 0]
      if (from < to) ranges.push({ from, to })
      return visit.SKIP
    },
  })
  let masked = text
  for (const { from, to } of ranges.toReversed()) {
    // A block ends with the end of its last line, which is not part of what it says.
    const end = masked.slice(from, to).endsWith('\n') ? '\n' : ''
    masked = `${masked.slice(0, from)}'${hidden}'${end}${masked.slice(to)}`
  }
  return masked
}
