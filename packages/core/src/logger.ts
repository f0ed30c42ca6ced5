/** Where a job and the scheduler write what they have to say; `console` and pino fit. */
export interface Logger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const { console: terminal } = globalThis

/** What an operator reads: the details of every run are for a logger of one's own. */
export const consoleLogger: Logger = Object.freeze({
  debug: () => {},
  info: (message: string) => terminal.info(message),
  warn: (message: string) => terminal.warn(message),
  error: (message: string) => terminal.error(message),
})

export const silentLogger: Logger = Object.freeze({
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
})
