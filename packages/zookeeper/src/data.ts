/** What a node may be given as data: bytes as they are, or text, which is stored as UTF-8. */
export type Data = Uint8Array | string

const empty = new Uint8Array(0)

/** Data as it goes over the wire. What is left out is stored as no bytes, never as text like "null". */
export function toBytes(data: Data | null | undefined): Uint8Array {
  if (data === undefined || data === null) return empty
  return typeof data === 'string' ? Buffer.from(data, 'utf8') : data
}

/** Data as text. */
export function toText(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')
}
