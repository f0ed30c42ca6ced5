/** Builds a message about a list from entries that are already JSON. */
import type { Changes } from './revisions.ts'

export interface ListMessage extends Changes {
  readonly reset: boolean
  /** The number of entries that follow. */
  readonly left: number
  readonly revision: string
}

export function listMessage({ reset, changed, removed, left, revision }: ListMessage): Uint8Array {
  const rest = JSON.stringify({ removed, left, revision }).slice(1)
  return Buffer.from(`{"reset":${reset},"changed":[${changed.join(',')}],${rest}`)
}
