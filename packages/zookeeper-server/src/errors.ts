/** The failures of a data directory or of its options. */
export const errorCodes = [
  'ZKS_DATA_DIR_INVALID_OPTION',
  'ZKS_DATA_DIR_LOCKED',
  'ZKS_DATA_DIR_FOREIGN_FILE',
  'ZKS_DATA_DIR_FILE_MISSING',
  'ZKS_DATA_DIR_CORRUPT',
  'ZKS_DATA_DIR_VERSION',
  'ZKS_DATA_DIR_WRITE_FAILED',
] as const

/** Every code that a `DataDirectoryError` may carry; docs/errors.md describes each. */
export type DataDirectoryErrorCode = (typeof errorCodes)[number]

export interface DataDirectoryErrorDetails {
  readonly file?: string
  readonly offset?: number
  readonly cause?: unknown
}

/** Why a server cannot use its data directory, identified by `code`. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: DataDirectoryErrorCode
  /** The name of the affected file inside the directory. */
  readonly file: string | undefined
  /** The offset in the file where the problem begins, in bytes. */
  readonly offset: number | undefined

  constructor(
    code: DataDirectoryErrorCode,
    message: string,
    details: DataDirectoryErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.file = details.file
    this.offset = details.offset
  }
}
