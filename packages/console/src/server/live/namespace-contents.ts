/**
 * A snapshot of a list, sent in pieces: the first is small, so that a page has something to show at once, and no piece
 * is so large that putting it together keeps others waiting. Whoever begins to read at that time shares them.
 */
import { listMessage } from './list-message.ts'

const firstPiece = 100
const furtherPieces = 1000

export class NamespaceContents {
  /** What a reader knows who has read all of it. */
  readonly revision: string
  /** How many pieces there are; one of nothing, if there is nothing. */
  readonly pieceCount: number
  readonly #texts: readonly string[]
  readonly #pieces = new Map<number, Uint8Array>()
  #isShared = true

  constructor(texts: readonly string[], revision: string) {
    this.revision = revision
    this.#texts = texts
    this.pieceCount = 1 + Math.ceil(Math.max(0, texts.length - firstPiece) / furtherPieces)
  }

  piece(index: number): Uint8Array {
    const known = this.#pieces.get(index)
    if (known !== undefined) return known
    const start = index === 0 ? 0 : firstPiece + (index - 1) * furtherPieces
    const end = firstPiece + index * furtherPieces
    const left = Math.max(0, this.#texts.length - end)
    const made = listMessage({
      reset: index === 0,
      changed: this.#texts.slice(start, end),
      removed: [],
      left,
      // Nobody can go on from the middle.
      revision: left > 0 ? '' : this.revision,
    })
    if (this.#isShared) this.#pieces.set(index, made)
    return made
  }

  /** Nobody begins with this any more: the slow ones must not keep all of it for as long as they read. */
  retire(): void {
    this.#isShared = false
    this.#pieces.clear()
  }
}
