import { message, type Message } from '../message.ts'

/** The content of a sharding item parameters text, and its problems. */
interface ParsedParameters {
  /** The parameter of each shard that has one. */
  readonly parameters: ReadonlyMap<number, string>
  readonly problems: readonly Message[]
  /** The shards with more than one parameter; the last one counts. */
  readonly repeated: ReadonlySet<number>
}

/**
 * Reads `0=Beijing,1=Shanghai` as Java does: white space around a number and its parameter is ignored, and so are
 * trailing commas. A pair that Java would refuse is a problem and is omitted. A repeated shard (Java takes the last
 * parameter) and a shard below 0 (Java never uses it) are problems as well.
 */
export function parseShardingItemParameters(text: string): ParsedParameters {
  const parameters = new Map<number, string>()
  const problems: Message[] = []
  const repeated = new Set<number>()
  const pairs = withoutEnd(text, ',').split(',')
  for (const pair of text === '' || pairs.join('') === '' ? [] : pairs) {
    const [key = '', parameter = '', ...more] = withoutEnd(trim(pair), '=').split('=')
    const shard = shardOf(trim(key))
    if (trim(parameter) === '' || more.length > 0) {
      problems.push(message('shard-parameter-malformed', { pair }))
    } else if (shard === undefined) {
      problems.push(message('shard-parameter-number', { key: trim(key), pair: trim(pair) }))
    } else {
      if (parameters.has(shard)) {
        if (!repeated.has(shard)) problems.push(message('shard-parameter-duplicate', { shard }))
        repeated.add(shard)
      }
      parameters.set(shard, trim(parameter))
    }
  }
  return { parameters, problems, repeated }
}

/**
 * The text for parameters in object form. Java splits the text at commas and equals signs and has no escape for them,
 * so a parameter cannot contain either.
 */
export function formatShardingItemParameters(parameters: Readonly<Record<string, unknown>>): {
  readonly text: string
  readonly problems: readonly Message[]
} {
  const problems: Message[] = []
  const shards: [number, string][] = []
  for (const [key, parameter] of Object.entries(parameters)) {
    const shard = shardOf(key)
    const problem = shard === undefined ? message('shard-parameter-key') : wrong(parameter)
    if (problem !== undefined) problems.push(message('keyed-problem', { key, problem }))
    else shards.push([shard as number, parameter as string])
  }
  shards.sort(([one], [other]) => one - other)
  return { text: shards.map(([shard, parameter]) => `${shard}=${parameter}`).join(','), problems }
}

function wrong(parameter: unknown): Message | undefined {
  if (typeof parameter !== 'string')
    return message('shard-parameter-not-text', { type: typeof parameter })
  if (trim(parameter) === '') return message('shard-parameter-empty')
  if (/[,=]/.test(parameter)) {
    return message('shard-parameter-separator', { parameter })
  }
  if (parameter !== trim(parameter)) {
    return message('shard-parameter-space', { parameter })
  }
  return undefined
}

function shardOf(text: string): number | undefined {
  const shard = /^\+?\d+$/.test(text) ? Number(text) : -1
  return shard >= 0 && shard < 2 ** 31 ? shard : undefined
}

/** Java's split drops empty strings at the end. */
function withoutEnd(text: string, separator: string): string {
  let to = text.length
  while (to > 0 && text[to - 1] === separator) to--
  return text.slice(0, to)
}

/** Java's trim removes only ASCII white space, so a parameter may start with an ideographic space. */
function trim(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && text.charCodeAt(from) <= 0x20) from++
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--
  return text.slice(from, to)
}
