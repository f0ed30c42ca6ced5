import type { Emit, LogLevel, RunReference } from '../events.ts'
import type { Logger } from '../logger.ts'
import { maskText } from '../secrets.ts'

/** Passes log lines of runs on to the logger, and emits them as events with their runs. */
export function runLogger(logger: Logger, emit: Emit, runs: readonly RunReference[]): Logger {
  const write = (level: LogLevel, message: string): void => {
    logger[level](message)
    const masked = maskText(message)
    for (const run of runs) emit('run:logged', { run, level, message: masked })
  }
  return {
    debug: (message) => write('debug', message),
    info: (message) => write('info', message),
    warn: (message) => write('warn', message),
    error: (message) => write('error', message),
  }
}
