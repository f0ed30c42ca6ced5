import type { Message } from '@elasticjob/core'

import { message } from '../message.ts'

/** Joins messages to one; requires at least one. */
export function listOf<T extends string | Message>(messages: readonly T[]): T | Message {
  const [first, ...rest] = messages as readonly [T, ...T[]]
  return rest.reduce<T | Message>((list, next) => message('message-list', { list, next }), first)
}
