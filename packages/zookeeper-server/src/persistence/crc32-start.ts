/** The CRC-32 remainder of each byte, indexed by byte and by the highest byte of a remainder. */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})
const byHighestByte = new Uint8Array(256)
for (const [index, remainder] of remainders.entries()) byHighestByte[remainder >>> 24] = index

/** Runs CRC-32 backwards: the start value for which `crc32(bytes, value)` gives `result`. */
export function crc32Start(bytes: Uint8Array, result: number): number {
  let register = ~result
  for (let at = bytes.length - 1; at >= 0; at--) {
    const index = byHighestByte[register >>> 24] as number
    const remainder = remainders[index] as number
    register = ((register ^ remainder) << 8) | (index ^ (bytes[at] as number))
  }
  return ~register >>> 0
}
