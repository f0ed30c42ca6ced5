/** What a command says: tables for people, JSON for programs. */
import type { Terminal } from '../terminal.ts'
import { printable, printableLines } from './printable.ts'
import { type Style, styleOf } from './style.ts'
import { type Column, tableLines } from './table.ts'

export class Output {
  readonly style: Style
  readonly #terminal: Terminal

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.style = styleOf(terminal.hasColors)
  }

  line(text = ''): void {
    this.#terminal.stdout.write(`${text}\n`)
  }

  /** For people alone: whoever reads the output of a command is not to stumble over it. */
  note(text: string): void {
    this.#terminal.stderr.write(`${text}\n`)
  }

  /** Somebody else's text: to the letter for a program, without what would steer a screen for people. */
  text(text: string): void {
    const whole = text.replace(/\n*$/, '\n')
    this.#terminal.stdout.write(this.#terminal.isScreen ? printableLines(whole) : whole)
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const { columns: width } = this.#terminal
    for (const line of tableLines(columns, rows, { style: this.style, width })) this.line(line)
  }

  /** Names and what they stand for, below each other. */
  properties(entries: readonly (readonly [name: string, value: string])[]): void {
    const width = Math.max(...entries.map(([name]) => name.length))
    for (const [name, value] of entries) {
      this.line(`${this.style.faint(name.padEnd(width))}  ${printable(value)}`.trimEnd())
    }
  }

  /** One document; times in it are ISO 8601. */
  json(value: unknown): void {
    this.line(jsonText(value, 2))
  }
}

export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, writable, indent)
}

/** An error would be an empty object. */
function writable(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { code, message } = value as Error & { readonly code?: unknown }
  return { code, message }
}
