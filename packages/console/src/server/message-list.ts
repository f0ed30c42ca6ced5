import { message, type Message } from '@elasticjob/core'

/** One after the other; there has to be one. */
export function listOf(messages: readonly Message[]): Message {
  return messages.reduce((list, next) => message`${list}; ${next}`)
}
