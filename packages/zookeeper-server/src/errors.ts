/** What can be wrong with a data directory, or with what a server is told about one. */
export const errorCodes = [
  'ZKS_DATA_DIR_INVALID_OPTION',
  'ZKS_DATA_DIR_LOCKED',
  'ZKS_DATA_DIR_FOREIGN_FILE',
  'ZKS_DATA_DIR_FILE_MISSING',
  'ZKS_DATA_DIR_CORRUPT',
  'ZKS_DATA_DIR_VERSION',
  'ZKS_DATA_DIR_WRITE_FAILED',
] as const

/** Every code that a `DataDirectoryError` may carry; docs/errors.md says what each means. */
export type DataDirectoryErrorCode = (typeof errorCodes)[number]

export interface DataDirectoryErrorDetails {
  readonly file?: string
  readonly offset?: number
  readonly cause?: unknown
}

/** Why a server cannot use its data directory, told by its `code`. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: DataDirectoryErrorCode
  /** The name of the file that it is about, inside the directory. */
  readonly file: string | undefined
  /** Where in the file the trouble begins, in bytes. */
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
