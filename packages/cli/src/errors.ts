/** The errors of the command line itself; other packages have their own codes. */
export const errorCodes = [
  'CLI_USAGE',
  'CLI_REGISTRY_MISSING',
  'CLI_REGISTRY_UNREACHABLE',
  'CLI_REGISTRY_LOST',
  'CLI_HISTORY_MISSING',
  'CLI_NOT_FOUND',
  'CLI_NOT_CONFIRMED',
  'CLI_REFUSED',
  'CLI_FAILED',
] as const

export type CommandErrorCode = (typeof errorCodes)[number]

/** An error of a command, with a message for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** A stable name of the failure; compare this, not the message. */
  readonly code: CommandErrorCode

  constructor(code: CommandErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
