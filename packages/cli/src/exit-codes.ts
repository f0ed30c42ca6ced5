/** How a command ends, for scripts; docs/command-line.md says the same in words. */
export interface ExitCodes {
  /** Done. */
  readonly ok: 0
  /** It was tried and has failed. */
  readonly failed: 1
  /** What was asked for cannot be: arguments, options, a file. Nothing was tried. */
  readonly usage: 2
  /** There is no such job, server, instance or item. */
  readonly notFound: 3
  /** The registry could not be reached, or was lost before the answer came. */
  readonly unreachable: 4
  /** What is in the registry does not allow it, or nobody has confirmed it. */
  readonly refused: 5
  /** Ended by Ctrl-C: 128 and the number of the signal, as shells have it. */
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
