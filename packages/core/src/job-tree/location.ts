import { type ShardMark, shardMarks } from './paths.ts'

/** The meaning of a path below a job's root. */
export type Location =
  | { readonly kind: 'config' | 'leader' | 'epoch' | 'necessary' | 'processing' | 'turn' }
  | { readonly kind: 'instance' | 'trigger'; readonly instance: string }
  | { readonly kind: 'server'; readonly ip: string }
  | { readonly kind: 'shard' | 'owner' | 'failoverShard'; readonly shard: number }
  | { readonly kind: 'mark'; readonly shard: number; readonly mark: ShardMark }
  | { readonly kind: 'folder'; readonly path: string }

/** Nodes that are parents of other nodes. */
export const folders: ReadonlySet<string> = new Set([
  '',
  'instances',
  'servers',
  'leader',
  'leader/election',
  'leader/failover',
  'leader/failover/items',
  'sharding',
  'trigger',
  'offset',
])

const fixed: ReadonlyMap<string, Location> = new Map<string, Location>([
  ['config', { kind: 'config' }],
  ['leader/election/instance', { kind: 'leader' }],
  ['leader/sharding', { kind: 'epoch' }],
  ['leader/sharding/necessary', { kind: 'necessary' }],
  ['leader/sharding/processing', { kind: 'processing' }],
  ['next-job-instance-ip', { kind: 'turn' }],
  // With strings that all jobs share: a substring of an event's path would keep the whole path in memory.
  ...Array.from(folders, (path): [string, Location] => [path, { kind: 'folder', path }]),
])

const marks: ReadonlySet<string> = new Set(shardMarks)

/** Undefined for nodes that no plan reads: latches, offsets, nodes of other tools. */
export function locate(relative: string): Location | undefined {
  // Nearly all events concern the marks of shards.
  if (relative.startsWith('sharding/')) return locateShard(relative)
  const known = fixed.get(relative)
  if (known !== undefined) return known
  const slash = relative.lastIndexOf('/')
  const folder = relative.slice(0, Math.max(slash, 0))
  const name = relative.slice(slash + 1)
  if (folder === 'instances' || folder === 'trigger') {
    return { kind: folder === 'trigger' ? 'trigger' : 'instance', instance: name }
  }
  if (folder === 'servers') return { kind: 'server', ip: name }
  if (folder !== 'leader/failover/items') return undefined
  const shard = shardNumber(name)
  return shard === undefined ? undefined : { kind: 'failoverShard', shard }
}

function locateShard(relative: string): Location | undefined {
  const begin = 'sharding/'.length
  const slash = relative.indexOf('/', begin)
  const shard = shardNumber(slash === -1 ? relative.slice(begin) : relative.slice(begin, slash))
  if (shard === undefined) return undefined
  if (slash === -1) return { kind: 'shard', shard }
  const child = relative.slice(slash + 1)
  if (child === 'instance') return { kind: 'owner', shard }
  return marks.has(child) ? { kind: 'mark', shard, mark: child as ShardMark } : undefined
}

/** The number of a shard as Java writes it; undefined for any other name. */
export function shardNumber(name: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined
}

/** The shard numbers among these names. */
export function shardNumbers(names: readonly string[]): number[] {
  return names.map(shardNumber).filter((shard) => shard !== undefined)
}
