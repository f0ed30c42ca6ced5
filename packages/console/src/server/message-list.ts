import { message, type Message } from '@elasticjob/core'

/** Joins messages to one; requires at least one. */
export function listOf(messages: readonly Message[]): Message {
  return messages.reduce((list, next) => message`${list}; ${next}`)
}
