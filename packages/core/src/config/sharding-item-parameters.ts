import { say, type Sentence } from '../sentence.ts'

/** What a text of sharding item parameters says, and what is wrong with it. */
interface ParsedParameters {
  /** The parameter of each item that has one. */
  readonly parameters: ReadonlyMap<number, string>
  readonly problems: readonly Sentence[]
}

/**
 * Reads `0=Beijing,1=Shanghai` as Java does: spaces around a number and its parameter do not count,
 * commas at the end neither. A pair that Java would refuse is a problem and left out; so are an item
 * that is named twice (Java takes the last) and one below 0 (Java never asks for it).
 */
export function parseShardingItemParameters(text: string): ParsedParameters {
  const parameters = new Map<number, string>()
  const problems: Sentence[] = []
  const pairs = withoutEnd(text, ',').split(',')
  for (const pair of text === '' || pairs.join('') === '' ? [] : pairs) {
    const [key = '', parameter = '', ...more] = withoutEnd(trim(pair), '=').split('=')
    const item = itemOf(trim(key))
    if (trim(parameter) === '' || more.length > 0) {
      problems.push(say`"${pair}" is not of the form item=parameter, as in 0=Beijing,1=Shanghai`)
    } else if (item === undefined) {
      problems.push(say`"${trim(key)}" in "${trim(pair)}" is not the number of an item, 0 or above`)
    } else {
      if (parameters.has(item)) problems.push(say`item ${item} is named twice`)
      parameters.set(item, trim(parameter))
    }
  }
  return { parameters, problems }
}

/**
 * The text for parameters that are given as an object. Java splits the text at commas and equals
 * signs and has no escape for them, so a parameter cannot hold either.
 */
export function formatShardingItemParameters(parameters: Readonly<Record<string, unknown>>): {
  readonly text: string
  readonly problems: readonly Sentence[]
} {
  const problems: Sentence[] = []
  const items: [number, string][] = []
  for (const [key, parameter] of Object.entries(parameters)) {
    const item = itemOf(key)
    const problem =
      item === undefined ? say`the key must be the number of an item, 0 or above` : wrong(parameter)
    if (problem !== undefined) problems.push(say`${key}: ${problem}`)
    else items.push([item as number, parameter as string])
  }
  items.sort(([one], [other]) => one - other)
  return { text: items.map(([item, parameter]) => `${item}=${parameter}`).join(','), problems }
}

function wrong(parameter: unknown): Sentence | undefined {
  if (typeof parameter !== 'string') return say`the parameter must be text, not ${typeof parameter}`
  if (trim(parameter) === '') return say`the parameter is empty; leave the item out instead`
  if (/[,=]/.test(parameter)) {
    return say`the parameter "${parameter}" contains "," or "=", which separate parameters in the registry`
  }
  if (parameter !== trim(parameter)) {
    return say`the parameter "${parameter}" begins or ends with a space, which the registry does not keep`
  }
  return undefined
}

function itemOf(text: string): number | undefined {
  const item = /^\+?\d+$/.test(text) ? Number(text) : -1
  return item >= 0 && item < 2 ** 31 ? item : undefined
}

/** Java's split forgets what is empty at the end. */
function withoutEnd(text: string, separator: string): string {
  let to = text.length
  while (to > 0 && text[to - 1] === separator) to--
  return text.slice(0, to)
}

/** Java's trim: it knows no spaces beyond ASCII, so a parameter may begin with an ideographic one. */
function trim(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && text.charCodeAt(from) <= 0x20) from++
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--
  return text.slice(from, to)
}
