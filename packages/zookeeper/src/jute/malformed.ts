/** Bytes that are not the expected record: truncated, or with an impossible length. */
export class MalformedRecordError extends Error {
  override readonly name = 'MalformedRecordError'
}
