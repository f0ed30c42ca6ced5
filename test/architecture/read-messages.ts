import { parseSync, Visitor } from 'oxc-parser'

/** One sentence as it stands in the source: message`the owner of ${shards} is away`. */
export interface SentenceFact {
  readonly path: string
  /** The words with `{}` for each value. */
  readonly template: string
  /** How many values stand between the words. */
  readonly values: number
}

export function readSentences(path: string, source: string): SentenceFact[] {
  const { program, errors } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path} does not parse: ${error.message}`)
  const found: SentenceFact[] = []
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'message') return
      const states = quasi.quasis.map(({ value }) => value.cooked ?? '')
      found.push({ path, template: states.join('{}'), values: quasi.expressions.length })
    },
  }).visit(program)
  return found
}
