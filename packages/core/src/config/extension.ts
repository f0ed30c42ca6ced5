import { isMap, type Node } from 'yaml'
import { isNothing, YamlDocument } from './snake-yaml/document.ts'
import { javaText } from './snake-yaml/java-text.ts'

/** An element of `jobExtraConfigurations`, which a Java extension interprets. */
export interface Extension {
  /** The Java class in its tag, such as `org.example.YamlCacheConfiguration`; empty without a tag. */
  readonly className: string
  /** Its settings as texts. A nested setting has the name of its mapping and a dot as prefix. */
  readonly settings: Readonly<Record<string, string>>
}

/** Throws `YamlProblem` if the text is not YAML; the elements of a stored configuration always are. */
export function readExtension(text: string): Extension {
  const document = new YamlDocument(text)
  return {
    className: classOf(document.root),
    settings: Object.fromEntries(settingsOf(document, document.root, '')),
  }
}

/** `!!a.b.C`, which a YAML reader expands. */
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
