/** What the core of a server can be told. */
export interface CoreOptions {
  /**
   * The unit of time of sessions, in milliseconds: they end up to one tick late, and their timeout
   * is between 2 and 20 ticks unless the next two options say otherwise.
   * @default 2000
   */
  readonly tickTime?: number
  /**
   * The shortest session timeout that a client gets, in milliseconds.
   * @default 2 * tickTime
   */
  readonly minSessionTimeout?: number
  /**
   * The longest session timeout that a client gets, in milliseconds.
   * @default 20 * tickTime
   */
  readonly maxSessionTimeout?: number
  /**
   * How often containers and nodes with a time to live are looked through for those to delete, in
   * milliseconds.
   * @default 60000
   */
  readonly cleanUpInterval?: number
  /**
   * Whether nodes with a time to live may be created. The real server refuses them unless it was
   * told to allow them; here they work out of the box.
   * @default true
   */
  readonly extendedTypes?: boolean
  /**
   * Whether a write beyond the hard limit of a quota is refused (QUOTA_EXCEEDED). Usage is counted
   * either way.
   * @default false
   */
  readonly enforceQuota?: boolean
  /**
   * `user:base64(sha1(user:password))`: who proves to be this by digest may do everything.
   * @default none: there is no super user
   */
  readonly superDigest?: string
  /**
   * The most bytes that paths and data of all nodes may have together. A write that would go beyond
   * is refused with QUOTA_EXCEEDED.
   * @default 1 GiB
   */
  readonly maxDataBytes?: number
  /**
   * The most watches there may be. A request that would set another is refused with QUOTA_EXCEEDED.
   * @default 10000000
   */
  readonly maxWatches?: number
}

/** The options of the core, complete. */
export type ResolvedCoreOptions = Required<Omit<CoreOptions, 'superDigest'>> & {
  readonly superDigest: string | undefined
}

export const coreDefaults: Readonly<
  Omit<ResolvedCoreOptions, 'minSessionTimeout' | 'maxSessionTimeout'>
> = Object.freeze({
  tickTime: 2000,
  cleanUpInterval: 60_000,
  extendedTypes: true,
  enforceQuota: false,
  superDigest: undefined,
  maxDataBytes: 2 ** 30,
  maxWatches: 10_000_000,
})

/** The options with the defaults for those that are missing; throws on one that makes no sense. */
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
    maxWatches: options.maxWatches ?? coreDefaults.maxWatches,
  }
  for (const name of times) {
    if (!(resolved[name] > 0)) throw new RangeError(`${name} has to be above 0: ${resolved[name]}`)
  }
  const { minSessionTimeout: min, maxSessionTimeout: max } = resolved
  if (min > max) {
    throw new RangeError(`minSessionTimeout is above maxSessionTimeout: ${min} > ${max}`)
  }
  return resolved
}

const times = ['tickTime', 'minSessionTimeout', 'maxSessionTimeout', 'cleanUpInterval'] as const
