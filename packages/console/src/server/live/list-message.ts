/** A message about a list, put together from entries that are JSON already. */
import type { Changes } from './revisions.ts'

export interface ListMessage extends Changes {
  readonly reset: boolean
  /** How many entries are still to come. */
  readonly left: number
  readonly revision: string
}

export function listMessage({ reset, changed, removed, left, revision }: ListMessage): Uint8Array {
  const rest = JSON.stringify({ removed, left, revision }).slice(1)
  return Buffer.from(`{"reset":${reset},"changed":[${changed.join(',')}],${rest}`)
}
