import { randomUUID } from 'node:crypto'

/** A unique name. */
export function randomName(): string {
  return randomUUID()
}
