import { parseSync } from 'oxc-parser'

interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

const separator = ' › '

/**
 * The tests of a module by their whole names: the titles of what they stand in, and their own. Those
 * that are skipped for good are none.
 */
export function testNamesOf(path: string, source: string): readonly string[] {
  const { program, errors } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path} does not parse: ${error.message}`)
  const names: string[] = []
  visit(program, [], names)
  return names
}

function visit(value: unknown, within: readonly string[], names: string[]): void {
  if (Array.isArray(value)) {
    for (const shard of value) visit(shard, within, names)
    return
  }
  if (!isNode(value)) return
  const declared = value.type === 'CallExpression' ? declarationOf(value) : undefined
  if (declared?.kind === 'skipped') return
  const path = declared === undefined ? within : [...within, declared.title]
  if (declared?.kind === 'test') names.push(path.join(separator))
  for (const child of Object.values(value)) visit(child, path, names)
}

interface Declaration {
  readonly kind: 'test' | 'group' | 'skipped'
  readonly title: string
}

/** `it('…')`, `test.each(…)('…')`, `describe.for(…)('…')` and the like; undefined for other calls. */
function declarationOf(call: Node): Declaration | undefined {
  const states = wordsOf(call['callee'])
  const isTest = states[0] === 'it' || states[0] === 'test'
  if (!isTest && states[0] !== 'describe') return undefined
  if (states.includes('skip') || states.includes('todo')) return { kind: 'skipped', title: '' }
  const title = Array.isArray(call['arguments']) ? textOf(call['arguments'][0]) : undefined
  return title === undefined ? undefined : { kind: isTest ? 'test' : 'group', title }
}

/** `it.each(rows)` is called by the words `it` and `each`. */
function wordsOf(callee: unknown): readonly string[] {
  if (!isNode(callee)) return []
  switch (callee.type) {
    case 'Identifier':
      return [String(callee['name'])]
    case 'MemberExpression':
      return [...wordsOf(callee['object']), ...wordsOf(callee['property'])]
    case 'CallExpression':
      return wordsOf(callee['callee'])
    default:
      return []
  }
}

function textOf(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Literal' && typeof value['value'] === 'string'
    ? value['value']
    : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
