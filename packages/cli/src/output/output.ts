/** The output of a command: tables for people, JSON for programs. */
import { maskText, maskTree } from '@elasticjob/core/internal'

import type { Terminal } from '../terminal.ts'
import { asciiControls, paintedLines, printable, printableLines } from './printable.ts'
import { type Style, styleOf } from './style.ts'
import { type Column, tableLines } from './table.ts'

export class Output {
  readonly style: Style
  readonly #terminal: Terminal
  readonly #isMasked: boolean

  /** Masks secrets, unless they were requested. */
  constructor(terminal: Terminal, isMasked = true) {
    this.#terminal = terminal
    this.#isMasked = isMasked
    this.style = styleOf(terminal.hasColors)
  }

  /** The same output with secrets unmasked. */
  revealing(): Output {
    return new Output(this.#terminal, false)
  }

  line(text = ''): void {
    this.#terminal.stdout.write(`${paintedLines(this.#mask(text))}\n`)
  }

  /** For people only, on standard error, so that it does not disturb a program that reads the output. */
  note(text: string): void {
    this.#terminal.stderr.write(`${paintedLines(this.#mask(text))}\n`)
  }

  /** Text from elsewhere: unchanged for a program, without control characters for people. */
  text(text: string): void {
    const whole = this.#mask(text).replace(/\n*$/, '\n')
    this.#terminal.stdout.write(this.#terminal.isScreen ? printableLines(whole) : whole)
  }

  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const { columns: width } = this.#terminal
    for (const line of tableLines(columns, rows, { style: this.style, width })) this.line(line)
  }

  /** Names and values, one per line. */
  properties(entries: readonly (readonly [name: string, value: string])[]): void {
    const width = Math.max(...entries.map(([name]) => name.length))
    for (const [name, value] of entries) {
      this.line(`${this.style.faint(name.padEnd(width))}  ${printable(value)}`.trimEnd())
    }
  }

  #mask(text: string): string {
    return this.#isMasked ? maskText(text) : text
  }

  /** One document; times are ISO 8601. */
  json(value: unknown): void {
    const text = this.#isMasked ? jsonText(value, 2) : openJsonText(value, 2)
    this.#terminal.stdout.write(`${text}\n`)
  }
}

/** With every configuration and every other text masked. */
export function jsonText(value: unknown, indent?: number): string {
  const mask = (key: string, inner: unknown): unknown => {
    if (key === 'configuration') return maskTree(inner)
    return typeof inner === 'string' ? maskText(inner) : writable(inner)
  }
  return asciiControls(JSON.stringify(value, mask, indent))
}

/** The same with secrets unmasked. */
function openJsonText(value: unknown, indent: number): string {
  return asciiControls(JSON.stringify(value, (_, inner: unknown) => writable(inner), indent))
}

/** JSON.stringify turns an error into an empty object. */
function writable(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { code, message } = value as Error & { readonly code?: unknown }
  return { code, message }
}
