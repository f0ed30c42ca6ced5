import { maskText } from './secrets.ts'

/** The log output of jobs and of the scheduler; `console` and pino fit. */
export interface Logger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const { console: terminal } = globalThis

/** Logs the lines for operators. `debug` is dropped; pass a logger to see the details of every run. */
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

/** A logger that receives no secrets: errors of drivers and clients often contain the URLs passed to them. */
export function maskedLogger(logger: Logger): Logger {
  return {
    debug: (message) => logger.debug(maskText(message)),
    info: (message) => logger.info(maskText(message)),
    warn: (message) => logger.warn(maskText(message)),
    error: (message) => logger.error(maskText(message)),
  }
}
