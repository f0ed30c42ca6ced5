import type { Logger } from '../../../src/logger.ts'

/** Keeps what it is told, and tells whoever waits for a line. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = []
  readonly #waiting: { readonly pattern: RegExp; readonly found: (line: string) => void }[] = []

  debug(message: string): void {
    this.#add(`debug ${message}`)
  }

  info(message: string): void {
    this.#add(`info ${message}`)
  }

  warn(message: string): void {
    this.#add(`warn ${message}`)
  }

  error(message: string): void {
    this.#add(`error ${message}`)
  }

  /** The first line like this, said already or still to come. */
  line(pattern: RegExp): Promise<string> {
    const messageParts = this.lines.find((line) => pattern.test(line))
    if (messageParts !== undefined) return Promise.resolve(messageParts)
    return new Promise((found) => {
      this.#waiting.push({ pattern, found })
    })
  }

  #add(line: string): void {
    this.lines.push(line)
    for (const { pattern, found } of this.#waiting) if (pattern.test(line)) found(line)
  }
}
