/**
 * How many shards of a job may run at once on an instance, for the setting that says so; undefined if the setting is
 * not one. Without a setting there is no limit.
 */
export function poolSizeOf(setting: string | undefined, processors: number): number | undefined {
  if (setting === undefined) return Infinity
  const name = setting.toUpperCase()
  if (name === 'CPU') return 2 * processors
  if (name === 'SINGLE_THREAD') return 1
  return /^[1-9]\d{0,8}$/.test(setting) ? Number(setting) : undefined
}
