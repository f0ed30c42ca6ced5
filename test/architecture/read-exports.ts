import { posix } from 'node:path'

import { parseSync } from 'oxc-parser'

import { readText } from './repository.ts'

/** One name that an entry point exports. */
export interface ExportFact {
  readonly name: string
  /** The module that declares it. */
  readonly path: string
  /** Whether a doc comment stands directly before the declaration. */
  readonly hasDoc: boolean
}

/** The exports of an entry point, without those that it passes on as `*`. */
export function readExports(entry: string): ExportFact[] {
  const { module } = parseSync(entry, readText(entry))
  const entries = module.staticExports
    .flatMap((statement) => statement.entries)
    .filter(({ importName }) => !importName.kind.startsWith('All'))
  return entries.map(({ exportName, importName, localName, moduleRequest }) => {
    const local = importName.name ?? localName.name ?? ''
    const path =
      moduleRequest === null ? entry : posix.join(posix.dirname(entry), moduleRequest.value)
    return { name: exportName.name ?? '', path, hasDoc: isDocumented(readText(path), local) }
  })
}

function isDocumented(source: string, name: string): boolean {
  const kinds = '(?:abstract |async )?(?:class|const|function|interface|type)'
  return new RegExp(String.raw`\*/\nexport ${kinds} ${name}\b`, 'u').test(source)
}
