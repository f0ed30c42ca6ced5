import { isMap, type Node } from 'yaml'
import { isNothing, YamlDocument } from './snake-yaml/document.ts'
import { javaText } from './snake-yaml/java-text.ts'

/** An element of `jobExtraConfigurations`, which some extension of Java's understands. */
export interface Extension {
  /** The Java class that its tag names, such as `org.example.YamlCacheConfiguration`; empty without one. */
  readonly className: string
  /** Its settings as texts; those of a mapping inside are behind its name and a dot. */
  readonly settings: Readonly<Record<string, string>>
}

/** Throws `YamlProblem` for a text that is no YAML; those of a stored configuration are. */
export function readExtension(text: string): Extension {
  const document = new YamlDocument(text)
  return {
    className: classOf(document.root),
    settings: Object.fromEntries(settingsOf(document, document.root, '')),
  }
}

/** `!!a.b.C`, which a YAML reader spells out. */
function classOf(node: Node | undefined): string {
  const tag = (node as { readonly tag?: string } | undefined)?.tag ?? ''
  return tag.startsWith('tag:yaml.org,2002:') ? tag.slice('tag:yaml.org,2002:'.length) : ''
}

function settingsOf(
  document: YamlDocument,
  node: Node | undefined,
  prefix: string,
): [string, string][] {
  if (!isMap(node)) return []
  return document.entriesOf(node).flatMap(({ key, value }): [string, string][] => {
    if (isMap(value)) return settingsOf(document, value, `${prefix}${key}.`)
    return isNothing(value) ? [] : [[prefix + key, javaText(document, value)]]
  })
}
