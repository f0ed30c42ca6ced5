/** Selects the rows of a long list that are drawn: the visible ones, and some above and below. */
export interface View {
  /** The distance from the top of the window to the top of the list; negative when the list is scrolled past it. */
  readonly top: number
  readonly height: number
}

/** Shorter lists are drawn as a whole. */
export const drawnWhole = 80
const beyond = 12

export function visibleRows(
  count: number,
  rowHeight: number,
  view: View,
): { readonly first: number; readonly last: number } {
  if (count <= drawnWhole) return { first: 0, last: count }
  const first = Math.floor(-view.top / rowHeight) - beyond
  const shown = Math.ceil(view.height / rowHeight) + 2 * beyond
  const from = Math.min(Math.max(0, first), Math.max(0, count - shown))
  return { first: from, last: Math.min(count, from + shown) }
}
