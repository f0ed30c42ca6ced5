/**
 * A snapshot of a list, sent in pieces: the first is small, so that a page can show something at once, and no piece
 * is so large that building it blocks other readers. Readers that start at about the same time share the pieces.
 */
import { listMessage } from './list-message.ts'

const firstPiece = 100
const furtherPieces = 1000

export class NamespaceContents {
  /** The revision of a reader that has received all pieces. */
  readonly revision: string
  /** The number of pieces; an empty list has one empty piece. */
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
      // A stream cannot continue from the middle of a list.
      revision: left > 0 ? '' : this.revision,
    })
    if (this.#isShared) this.#pieces.set(index, made)
    return made
  }

  /**
   * No new reader starts with this snapshot: its pieces are not cached any more, so that slow readers do not keep all
   * of them in memory.
   */
  retire(): void {
    this.#isShared = false
    this.#pieces.clear()
  }
}
