export type Values = Readonly<Record<string, string | number>>

/**
 * `{n} {n#shard|shards} of {job}`: values by name, and the singular or plural form by a number. Values are inserted
 * literally: braces in a value are not interpreted.
 */
export function fill(text: string, values: Values = {}): string {
  return text.replaceAll(
    /\{(\w+)(?:#([^|}]*)\|([^}]*))?\}/gu,
    (whole, name: string, one: string | undefined, many: string | undefined) => {
      const value = values[name]
      if (value === undefined) return whole
      if (one === undefined || many === undefined) return String(value)
      return Number(value) === 1 ? one : many
    },
  )
}
