/** The log of a process that runs jobs: lines of text or of JSON. */
import type { Clock, Logger } from '@elasticjob/core'

import type { Terminal } from '../terminal.ts'
import { clockTime } from './moments.ts'
import { jsonText } from './output.ts'
import { type Paint, styleOf } from './style.ts'

export function terminalLogger(
  { stdout, hasColors }: Terminal,
  clock: Clock,
  { json, verbose }: { readonly json: boolean; readonly verbose: boolean },
): Logger {
  const style = styleOf(hasColors)
  const to =
    (level: string, paint: Paint = (text) => text) =>
    (message: string): void => {
      const now = clock.now()
      stdout.write(
        json
          ? `${jsonText({ time: new Date(now), level, message })}\n`
          : `${style.faint(clockTime(now))}  ${paint(message)}\n`,
      )
    }
  return {
    debug: verbose ? to('debug', style.faint) : () => {},
    info: to('info'),
    warn: to('warn', style.doubtful),
    error: to('error', style.bad),
  }
}
