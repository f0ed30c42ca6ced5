import { parseSync } from 'oxc-parser'

export interface ImportFact {
  readonly specifier: string
  /** Imported names; empty for a module imported whole or for its effects. */
  readonly names: readonly string[]
  /** Whether the import vanishes when types are erased. */
  readonly typeOnly: boolean
}

/** What the rules need to know of one module. */
export interface ModuleFacts {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly ImportFact[]
  readonly hasDefaultExport: boolean
  /** Each `an enum` or `a namespace` that it declares. */
  readonly notErasable: readonly string[]
  /** Names used as values: `setTimeout`, `Date.now`, `new Date()`. */
  readonly uses: ReadonlySet<string>
}

interface Node {
  readonly type: string
  readonly [property: string]: unknown
}

interface Findings {
  imports: ImportFact[]
  hasDefaultExport: boolean
  notErasable: string[]
  uses: Set<string>
}

/** Parses one module; a module that does not parse is an error, for it would hide its imports. */
export function readModule(path: string, source: string): ModuleFacts {
  const { program, errors } = parseSync(path, source)
  const [error] = errors
  if (error) throw new Error(`${path} does not parse: ${error.message}`)

  const findings: Findings = {
    imports: [],
    hasDefaultExport: false,
    notErasable: [],
    uses: new Set(),
  }
  visit(program, findings)
  return { path, lines: source.trimEnd().split('\n').length, ...findings }
}

function visit(value: unknown, findings: Findings): void {
  if (Array.isArray(value)) {
    for (const shard of value) visit(shard, findings)
    return
  }
  if (!isNode(value)) return
  record(value, findings)
  for (const [property, child] of Object.entries(value)) {
    if (!isNameOnly(value, property)) visit(child, findings)
  }
}

function record(node: Node, findings: Findings): void {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration': {
      recordImport(node, findings)
      break
    }
    case 'ImportExpression':
    case 'TSImportType': {
      const specifier = text(node['source'])
      const typeOnly = node.type === 'TSImportType'
      if (specifier !== undefined) findings.imports.push({ specifier, names: [], typeOnly })
      break
    }
    case 'ExportDefaultDeclaration': {
      findings.hasDefaultExport = true
      break
    }
    case 'TSEnumDeclaration': {
      findings.notErasable.push('an enum')
      break
    }
    case 'TSModuleDeclaration': {
      if (node['kind'] === 'namespace') findings.notErasable.push('a namespace')
      break
    }
    case 'Identifier': {
      findings.uses.add(String(node['name']))
      break
    }
    case 'MemberExpression': {
      const name = memberName(node)
      if (name !== undefined) findings.uses.add(name)
      break
    }
    case 'NewExpression': {
      const callee = identifier(node['callee'])
      const bare = Array.isArray(node['arguments']) && node['arguments'].length === 0
      if (callee !== undefined && bare) findings.uses.add(`new ${callee}()`)
      break
    }
    default:
  }
}

function recordImport(node: Node, findings: Findings): void {
  const specifier = text(node['source'])
  if (specifier === undefined) return
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : []
  const wholeIsType = node['importKind'] === 'type' || node['exportKind'] === 'type'
  const values = specifiers.filter(
    (each) => each['importKind'] !== 'type' && each['exportKind'] !== 'type',
  )
  findings.imports.push({
    specifier,
    names: specifiers.map((each) => identifier(each['imported'] ?? each['local']) ?? ''),
    typeOnly: wholeIsType || (specifiers.length > 0 && values.length === 0),
  })
}

/** `Date.now` of `Date.now` and of `globalThis.Date.now`; `setTimeout` of `globalThis.setTimeout`. */
function memberName(node: Node): string | undefined {
  const property = node['computed'] === true ? text(node['property']) : identifier(node['property'])
  const object = node['object']
  if (property === undefined || !isNode(object)) return undefined
  const owner = object.type === 'MemberExpression' ? memberName(object) : identifier(object)
  if (owner === undefined) return undefined
  return owner === 'globalThis' || owner === 'global' ? property : `${owner}.${property}`
}

/** Whether the child is a name that refers to nothing: `.now` in `clock.now`, a key, a type. */
function isNameOnly(parent: Node, property: string): boolean {
  if (parent.type === 'TSTypeQuery') return property === 'exprName'
  if (parent.type.startsWith('Import') || parent.type.startsWith('Export')) {
    return parent.type.endsWith('Specifier')
  }
  return parent['computed'] !== true && (property === 'key' || property === 'property')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function identifier(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Identifier' ? String(value['name']) : undefined
}

function text(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'TSLiteralType') return text(value['literal'])
  return typeof value['value'] === 'string' ? value['value'] : undefined
}
