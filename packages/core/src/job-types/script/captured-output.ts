import { StringDecoder } from 'node:string_decoder'

/** The limits of kept script output. */
export interface CaptureLimits {
  /** The maximum characters of one line; the rest of the line is dropped. */
  readonly lineLength: number
  /** The maximum logged characters of one run; the rest is dropped. */
  readonly total: number
  /** How many of the last lines an error message contains, and the characters of each. */
  readonly lastLines: number
  readonly lastLineLength: number
}

export const captureLimits: CaptureLimits = Object.freeze({
  lineLength: 4_096,
  total: 1_048_576,
  lastLines: 10,
  lastLineLength: 400,
})

/** Turns the output of a program into log lines, in bounded memory for any output. */
export class CapturedOutput {
  readonly #log: (line: string) => void
  readonly #limits: CaptureLimits
  readonly #decoder = new StringDecoder('utf8')
  readonly #lastLines: string[] = []
  #line = ''
  #dropped = 0
  #logged = 0

  constructor(log: (line: string) => void, limits: CaptureLimits = captureLimits) {
    this.#log = log
    this.#limits = limits
  }

  get lastLines(): readonly string[] {
    return this.#lastLines
  }

  write(chunk: Buffer): void {
    const [first = '', ...others] = this.#decoder.write(chunk).split('\n')
    this.#append(first)
    for (const text of others) {
      this.#endLine()
      this.#append(text)
    }
  }

  /** The last line may have no line break. */
  end(): void {
    this.#append(this.#decoder.end())
    if (this.#line !== '') this.#endLine()
  }

  #append(text: string): void {
    const room = this.#limits.lineLength - this.#line.length
    this.#line += text.slice(0, room)
    this.#dropped += Math.max(0, text.length - room)
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, '')
    const told = this.#dropped > 0 ? `${line}... (${this.#dropped} characters more)` : line
    this.#line = ''
    this.#dropped = 0
    this.#lastLines.push(line.slice(0, this.#limits.lastLineLength))
    if (this.#lastLines.length > this.#limits.lastLines) this.#lastLines.shift()
    this.#tell(told)
  }

  #tell(line: string): void {
    if (this.#logged > this.#limits.total) return
    this.#logged += line.length + 1
    this.#log(
      this.#logged > this.#limits.total
        ? `the script has written more than ${this.#limits.total} characters; the rest is not logged`
        : line,
    )
  }
}
