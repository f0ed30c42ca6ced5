/** What the command line itself has to complain about; what the packages below throw has codes of its own. */
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

/** A command that cannot go on, in words for whoever gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** A stable name for what went wrong; compare this, not the message. */
  readonly code: CommandErrorCode

  constructor(code: CommandErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
