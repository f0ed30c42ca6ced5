import { randomUUID } from 'node:crypto'

/** A name that nobody else has. */
export function randomName(): string {
  return randomUUID()
}
