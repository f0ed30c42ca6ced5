/**
 * Shortens a text to a number of UTF-8 bytes, without splitting a character: services refuse longer texts.
 */
export function shorten(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text
  const ending = '…'
  const bytes = Buffer.from(text)
  let end = Math.max(mostBytes - Buffer.byteLength(ending), 0)
  // A byte 10xxxxxx continues the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString() + ending
}
