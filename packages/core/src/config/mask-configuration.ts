/** Masks the secrets of configurations, and restores them in changes to a masked configuration. */
import { isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, visit } from 'yaml'

import { ConfigurationError, type Problem, problem } from '../errors.ts'
import { isSecretKey, maskSetting, secretMask } from '../secrets.ts'
import { message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { textOf, YamlDocument } from './snake-yaml/document.ts'
import type { JobChanges } from './update-job.ts'

/** A configuration with masked secrets, for display. */
export function maskConfiguration(configuration: JobConfiguration): JobConfiguration {
  const { jobName, ...rest } = configuration
  return { jobName, ...(maskTree(rest) as Omit<JobConfiguration, 'jobName'>) }
}

/** Masks any parsed value: the value of a secret key is replaced, and every other text is masked. */
export function maskTree(value: unknown): unknown {
  if (typeof value === 'string') return maskNested(value)
  if (Array.isArray(value)) return value.map(maskTree)
  if (typeof value !== 'object' || value === null) return value
  const entries: [string, unknown][] = Object.entries(value)
  const isSecret = ([key, inner]: [string, unknown]): boolean => isSecretKey(key) && !isEmpty(inner)
  // A secret that also appears under another key, such as by a YAML anchor, is masked there as well.
  const secrets = new Set(entries.filter(isSecret).map(([, inner]) => inner))
  return Object.fromEntries(
    entries.map((entry) => [
      entry[0],
      isSecret(entry) || secrets.has(entry[1]) ? secretMask : maskTree(entry[1]),
    ]),
  )
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || typeof value === 'boolean'
}

/** Masks a stored text, YAML or JSON: secret values are replaced in place, and the rest stays unchanged. */
export function maskYaml(text: string): string {
  if (maskSetting(text) === text && !isSecretKey(text) && !text.includes('\\')) return text
  try {
    return withoutRanges(text, secretRanges(new YamlDocument(text).root))
  } catch {
    // Not YAML, or nested too deeply: the end of a value is unknown.
    return untilFirstSecret(text)
  }
}

function untilFirstSecret(text: string): string {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => isSecretKey(line) || maskSetting(line) !== line)
  return first < 0 ? text : [...lines.slice(0, first), secretMask].join('\n')
}

interface Range {
  readonly from: number
  readonly to: number
  readonly shown: string
}

function secretRanges(root: Node | undefined): readonly Range[] {
  const ranges = new Map<number, Range>()
  const anchors = new Map<string, Node>()
  const add = (node: Node, shown: string): void => {
    const [from, to] = node.range ?? [0, 0]
    if (from < to) ranges.set(from, { from, to, shown })
  }
  const hide = (node: Node | null): void => {
    if (node === null) return
    // An alias refers to the secret, which is written elsewhere.
    if (isAlias(node)) hide(anchors.get(node.source) ?? null)
    else add(node, `'${secretMask}'`)
  }
  visit(root ?? null, {
    Node: (_, node) => {
      if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) {
        anchors.set(node.anchor, node)
      }
    },
  })
  visit(root ?? null, {
    Pair: (_, pair) => {
      const { key, value } = pair as Pair<Node, Node | null>
      if (!isScalar(key) || !isSecretKey(textOf(key))) return undefined
      hide(value)
      return visit.SKIP
    },
    Scalar: (position, scalar) => {
      if (position === 'key') return
      const text = textOf(scalar)
      const masked = maskNested(text)
      if (masked !== text) add(scalar, JSON.stringify(masked))
    },
  })
  return [...ranges.values()].toSorted((one, other) => one.from - other.from)
}

function withoutRanges(text: string, ranges: readonly Range[]): string {
  let masked = ''
  let at = 0
  for (const { from, to, shown } of ranges) {
    // Inside a range that is already replaced.
    if (from < at) continue
    // A block ends with the break of its last line, which is not part of its value.
    const end = text.slice(from, to).endsWith('\n') ? '\n' : ''
    masked += text.slice(at, from) + shown + end
    at = to
  }
  return masked + text.slice(at)
}

/** Masks a text of a configuration that may itself be YAML or JSON, such as `jobExtraConfigurations`. */
function maskNested(text: string): string {
  return isStructured(text) ? maskSetting(maskYaml(text)) : maskSetting(text)
}

function isStructured(text: string): boolean {
  if (!isSecretKey(text) && maskSetting(text) === text) return false
  try {
    const { root } = new YamlDocument(text)
    return isMap(root) || isSeq(root)
  } catch {
    return /^\s*[[{]/.test(text)
  }
}

/**
 * Restores the secrets in changes to a masked configuration: an unchanged masked value means the stored value. A value
 * with changes around the mask is refused, because it does not contain the secret behind the mask.
 */
export function restoreSecrets(changes: JobChanges, stored: JobConfiguration): JobChanges {
  const problems: Problem[] = []
  const shown = maskConfiguration(stored)
  const restore = (key: string, sent: unknown, kept: unknown, masked: unknown): unknown => {
    if (typeof sent !== 'string' || !sent.includes(secretMask)) return sent
    if (sent === masked) return kept
    problems.push(problem(key, message('secret-mask-kept', { mask: secretMask })))
    return sent
  }
  const restored = Object.entries(changes).map(([key, sent]) => {
    if (key !== 'props' || sent === undefined) {
      const name = key as keyof JobConfiguration
      return [key, restore(key, sent, stored[name], shown[name])] as const
    }
    const props = Object.entries(sent as JobConfiguration['props']).map(
      ([prop, text]) => [prop, restore(prop, text, stored.props[prop], shown.props[prop])] as const,
    )
    return [key, Object.fromEntries(props)] as const
  })
  if (problems.length > 0)
    throw new ConfigurationError(
      message('quoted-job-subject', { jobName: stored.jobName }),
      problems,
    )
  return Object.fromEntries(restored)
}
