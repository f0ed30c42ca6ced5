/** Tables for people: aligned, without borders, one row per line. */
import { cut, printable, widthOf } from './printable.ts'
import type { Paint, Style } from './style.ts'

/** A text and its colour. */
export interface Painted {
  readonly text: string
  readonly paint: Paint
}

/** The content of a cell. */
export type Cell = string | Painted | readonly Painted[]

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Cell
  /**
   * Right-aligned for numbers.
   * @default 'left'
   */
  readonly align?: 'left' | 'right'
}

const gap = '  '

/**
 * The table as lines. On a narrow screen the last column is truncated; a program or a file gets all of it.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { style, width }: { readonly style: Style; readonly width: number },
): string[] {
  const head = columns.map(({ title }) => [{ text: title, paint: style.faint }])
  const lines = [head, ...rows.map((row) => columns.map(({ cell }) => partsOf(cell(row))))]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((cells) => partsWidth(cells[index] ?? []))),
  )
  const last = columns.length - 1
  const leftForLast =
    width - widths.slice(0, last).reduce((sum, each) => sum + each + gap.length, 0)
  return lines.map((cells) =>
    cells
      .map((parts, index) => {
        const text = paintParts(parts, index === last ? leftForLast : Infinity)
        const room = ' '.repeat((widths[index] ?? 0) - partsWidth(parts))
        return columns[index]?.align === 'right' ? room + text : text + room
      })
      .join(gap)
      .trimEnd(),
  )
}

function partsOf(cell: Cell): readonly Painted[] {
  if (typeof cell === 'string') return [{ text: printable(cell), paint: (text) => text }]
  const parts = Array.isArray(cell) ? (cell as readonly Painted[]) : [cell as Painted]
  return parts.map(({ text, paint }) => ({ text: printable(text), paint }))
}

function partsWidth(parts: readonly Painted[]): number {
  return parts.reduce((sum, { text }) => sum + widthOf(text), 0)
}

/** Painted after truncation: otherwise the end of a colour could be cut off. */
function paintParts(parts: readonly Painted[], width: number): string {
  let left = width
  let painted = ''
  for (const { text, paint } of parts) {
    const shown = cut(text, left)
    painted += paint(shown)
    left -= widthOf(shown)
    if (shown !== text) break
  }
  return painted
}
