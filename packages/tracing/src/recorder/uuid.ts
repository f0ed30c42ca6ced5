/** A version 4 UUID from 16 random bytes, the format of Java's ids. */
export function uuidOf(bytes: Uint8Array): string {
  const own = Buffer.from(bytes)
  own.writeUInt8((own.readUInt8(6) & 0x0f) | 0x40, 6)
  own.writeUInt8((own.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = own.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return [...parts, hex.slice(20)].join('-')
}
