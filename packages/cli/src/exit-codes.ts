/** The exit codes of commands; documented in docs/command-line.md. */
export interface ExitCodes {
  readonly ok: 0
  /** The command failed. */
  readonly failed: 1
  /** Invalid input: arguments, options, a file. Nothing was changed. */
  readonly usage: 2
  /** No such job, server, instance or shard. */
  readonly notFound: 3
  /** The registry could not be reached, or the connection was lost. */
  readonly unreachable: 4
  /** The state of the registry does not allow it, or it was not confirmed. */
  readonly refused: 5
  /** Ended by Ctrl-C: 128 plus the number of the signal, as in shells. */
  readonly interrupted: 130
}

export type ExitCode = ExitCodes[keyof ExitCodes]

export const exitCodes: ExitCodes = Object.freeze({
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  unreachable: 4,
  refused: 5,
  interrupted: 130,
})
