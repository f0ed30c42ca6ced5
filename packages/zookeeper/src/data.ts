/** Data of a node: bytes, or text, which is stored as UTF-8. */
export type Data = Uint8Array | string

const empty = new Uint8Array(0)

/** Encodes data for the wire. Missing data becomes zero bytes, never text like "null". */
export function toBytes(data: Data | null | undefined): Uint8Array {
  if (data === undefined || data === null) return empty
  return typeof data === 'string' ? Buffer.from(data, 'utf8') : data
}

/** Decodes data as UTF-8. */
export function toText(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')
}
