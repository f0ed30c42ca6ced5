/** What the server says in sentences, in the reader's language. */
import type { Said } from '../../../src/contract/sentence.ts'
import { Fetched } from './fetched.ts'
import { fill } from './fill.ts'
import { language } from './i18n.ts'

type Sentences = Readonly<Record<string, string>>

const chinese = new Fetched<Sentences>(async () => (await import('./zh/sentences.ts')).sentences)

export function sentenceWords(said: Said | undefined, english: string): string {
  return translation(said) ?? english
}

/**
 * Undefined if the English is to be shown. Whoever shows it is drawn anew when the words have come; until then,
 * and without them, it is English.
 */
export function translation(said: Said | undefined): string | undefined {
  if (said === undefined || language.value !== 'zh') return undefined
  const sentences = chinese.value
  if (sentences === undefined) void sentencesReady()
  return sentences && translated(said, sentences)
}

/**
 * Resolves when the words are there, if any are needed; also if they cannot be had. Many readers never see
 * one: they are fetched when the first is to be shown, beside what it is about.
 */
export function sentencesReady(): Promise<void> {
  return language.peek() === 'zh' ? chinese.ready() : Promise.resolve()
}

/** Undefined if words are missing for it or for a part of it: half of a sentence is worse than English. */
function translated({ template, values }: Said, sentences: Sentences): string | undefined {
  if (!Object.hasOwn(sentences, template)) return undefined
  const parts = values.map((value) =>
    typeof value === 'object' ? translated(value, sentences) : value,
  )
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length) return undefined
  return fill(sentences[template] as string, Object.fromEntries(known.entries()))
}
