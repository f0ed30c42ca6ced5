/** Bytes that are not the record they should be: cut off, or with a length that cannot be. */
export class MalformedRecordError extends Error {
  override readonly name = 'MalformedRecordError'
}
