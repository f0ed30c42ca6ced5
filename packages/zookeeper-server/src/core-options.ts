/** Options of the server core. */
export interface CoreOptions {
  /**
   * The time unit of sessions, in milliseconds. Sessions expire up to one tick late, and their timeout is
   * between 2 and 20 ticks unless the next two options say otherwise.
   * @default 2000
   */
  readonly tickTime?: number
  /**
   * The shortest session timeout that the server grants, in milliseconds.
   * @default 2 * tickTime
   */
  readonly minSessionTimeout?: number
  /**
   * The longest session timeout that the server grants, in milliseconds.
   * @default 20 * tickTime
   */
  readonly maxSessionTimeout?: number
  /**
   * How often the server looks for containers and TTL nodes to delete, in milliseconds.
   * @default 60000
   */
  readonly cleanUpInterval?: number
  /**
   * Whether nodes with a TTL may be created. Apache ZooKeeper rejects them by default; this server accepts
   * them by default.
   * @default true
   */
  readonly extendedTypes?: boolean
  /**
   * Whether a write beyond the hard limit of a quota is rejected (QUOTA_EXCEEDED). Usage is counted either
   * way.
   * @default false
   */
  readonly enforceQuota?: boolean
  /**
   * `user:base64(sha1(user:password))`: a client that authenticates as this user has every permission.
   * @default none: there is no super user
   */
  readonly superDigest?: string
  /**
   * The maximum total size of paths, data and ACLs of all nodes, in bytes. A write beyond it is rejected with
   * QUOTA_EXCEEDED; deletes, and data that does not grow, are always accepted.
   * @default 1 GiB
   */
  readonly maxDataBytes?: number
  /**
   * The maximum number of nodes, as `mntr` counts them, including 5 nodes of the server itself. A create
   * beyond it is rejected with QUOTA_EXCEEDED. A node takes about 450 bytes of memory besides its data.
   * @default 2000000
   */
  readonly maxNodes?: number
  /**
   * The maximum number of watches. A request that would set another one is rejected with QUOTA_EXCEEDED.
   * @default 10000000
   */
  readonly maxWatches?: number
}

export type ResolvedCoreOptions = Required<Omit<CoreOptions, 'superDigest'>> & {
  readonly superDigest: string | undefined
}

/** The defaults of `CoreOptions`. */
export const coreDefaults: Readonly<
  Omit<ResolvedCoreOptions, 'minSessionTimeout' | 'maxSessionTimeout'>
> = Object.freeze({
  tickTime: 2000,
  cleanUpInterval: 60_000,
  extendedTypes: true,
  enforceQuota: false,
  superDigest: undefined,
  maxDataBytes: 2 ** 30,
  maxNodes: 2_000_000,
  maxWatches: 10_000_000,
})

/** Fills in defaults; throws on an invalid value. */
export function resolveCoreOptions(options: CoreOptions): ResolvedCoreOptions {
  const tickTime = options.tickTime ?? coreDefaults.tickTime
  const resolved = {
    tickTime,
    minSessionTimeout: options.minSessionTimeout ?? 2 * tickTime,
    maxSessionTimeout: options.maxSessionTimeout ?? 20 * tickTime,
    cleanUpInterval: options.cleanUpInterval ?? coreDefaults.cleanUpInterval,
    extendedTypes: options.extendedTypes ?? coreDefaults.extendedTypes,
    enforceQuota: options.enforceQuota ?? coreDefaults.enforceQuota,
    superDigest: options.superDigest ?? coreDefaults.superDigest,
    maxDataBytes: options.maxDataBytes ?? coreDefaults.maxDataBytes,
    maxNodes: options.maxNodes ?? coreDefaults.maxNodes,
    maxWatches: options.maxWatches ?? coreDefaults.maxWatches,
  }
  for (const name of positive) {
    if (!(resolved[name] > 0))
      throw new RangeError(`${name} must be greater than 0, not ${resolved[name]}`)
  }
  const { minSessionTimeout: min, maxSessionTimeout: max } = resolved
  if (min > max) {
    throw new RangeError(`minSessionTimeout (${min}) must not exceed maxSessionTimeout (${max})`)
  }
  return resolved
}

const positive = [
  'tickTime',
  'minSessionTimeout',
  'maxSessionTimeout',
  'cleanUpInterval',
  'maxDataBytes',
  'maxNodes',
] as const
