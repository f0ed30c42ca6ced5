/** Messages of the server in the reader's language. */
import type { MessageParts } from '../../../src/contract/message.ts'
import { Fetched } from './fetched.ts'
import { fill } from './fill.ts'
import { language } from './i18n.ts'

type Messages = Readonly<Record<string, string>>

const chinese = new Fetched<Messages>(async () => (await import('./zh/messages.ts')).messages)

export function messageText(messageParts: MessageParts | undefined, english: string): string {
  return translation(messageParts) ?? english
}

/**
 * Undefined if the English is to be shown. Whoever shows it is drawn anew when the words have come; until then,
 * and without them, it is English.
 */
export function translation(messageParts: MessageParts | undefined): string | undefined {
  if (messageParts === undefined || language.value !== 'zh') return undefined
  const messages = chinese.value
  if (messages === undefined) void messagesReady()
  return messages && translated(messageParts, messages)
}

/**
 * Resolves when the words are there, if any are needed; also if they cannot be had. Many readers never see
 * one: they are fetched when the first is to be shown, beside what it is about.
 */
export function messagesReady(): Promise<void> {
  return language.peek() === 'zh' ? chinese.ready() : Promise.resolve()
}

/** Undefined if the message or a part of it has no translation: a text in one language is better than one in two. */
function translated({ code, parameters }: MessageParts, messages: Messages): string | undefined {
  if (!Object.hasOwn(messages, code)) return undefined
  const values: Record<string, string | number> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = typeof parameter === 'object' ? translated(parameter, messages) : parameter
    if (value === undefined) return undefined
    values[name] = value
  }
  return fill(messages[code] as string, values)
}
