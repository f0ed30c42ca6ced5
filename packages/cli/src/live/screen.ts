/** A live view on the alternate screen of a terminal. */
import { clearScreenDown, cursorTo } from 'node:readline'

import { paintedLines } from '../output/printable.ts'
import type { Terminal } from '../terminal.ts'

const enter = '\u001B[?1049h\u001B[?25l'
const leave = '\u001B[?25h\u001B[?1049l'
const clearLine = '\u001B[K'

export class Screen {
  readonly #terminal: Terminal
  #isOpen = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Closing it restores the previous content of the terminal. */
  open(): void {
    this.#isOpen = true
    this.#terminal.stdout.write(enter)
    // The cursor must be restored however the process ends.
    process.once('exit', this.#leave)
  }

  /** Omits lines that do not fit. Lines must not be wider than the terminal. */
  draw(lines: readonly string[]): void {
    const { stdout, rows } = this.#terminal
    const shown = lines.slice(0, rows - 1)
    cursorTo(stdout, 0, 0)
    stdout.write(shown.map((line) => `${paintedLines(line)}${clearLine}\n`).join(''))
    clearScreenDown(stdout)
  }

  close(): void {
    process.off('exit', this.#leave)
    this.#leave()
  }

  readonly #leave = (): void => {
    if (this.#isOpen) this.#terminal.stdout.write(leave)
    this.#isOpen = false
  }
}
