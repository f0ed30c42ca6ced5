/**
 * How many shards of a job may run concurrently on an instance; undefined for an invalid setting. Without a setting
 * there is no limit.
 */
export function poolSizeOf(setting: string | undefined, processors: number): number | undefined {
  if (setting === undefined) return Infinity
  const name = setting.toUpperCase()
  if (name === 'CPU') return 2 * processors
  if (name === 'SINGLE_THREAD') return 1
  return /^[1-9]\d{0,8}$/.test(setting) ? Number(setting) : undefined
}
