/** A picture that stays in its place and changes, as long as somebody looks at it. */
import { clearScreenDown, cursorTo } from 'node:readline'

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

  /** What was on the terminal before comes back when it is closed. */
  open(): void {
    this.#isOpen = true
    this.#terminal.stdout.write(enter)
    // Whatever ends the process, the cursor must be there afterwards.
    process.once('exit', this.#leave)
  }

  /** Lines that have no room are left out. They must not be wider than the terminal. */
  draw(lines: readonly string[]): void {
    const { stdout, rows } = this.#terminal
    const shown = lines.slice(0, rows - 1)
    cursorTo(stdout, 0, 0)
    stdout.write(shown.map((line) => `${line}${clearLine}\n`).join(''))
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
