import { maskText } from './secrets.ts'

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

/** A logger that is told no secrets: errors of drivers and clients repeat the URLs that they were given. */
export function maskedLogger(logger: Logger): Logger {
  return {
    debug: (message) => logger.debug(maskText(message)),
    info: (message) => logger.info(maskText(message)),
    warn: (message) => logger.warn(maskText(message)),
    error: (message) => logger.error(maskText(message)),
  }
}
