/** A sentence that can be put into other languages: its English words, and what stands between them. */
export interface Sentence {
  /** In English, whole. */
  readonly text: string
  /** The English words with `{}` for each value: what a translation is looked up by. */
  readonly template: string
  readonly values: readonly SentenceValue[]
}

/** A part that differs from time to time; what is itself a sentence is translated as well. */
export type SentenceValue = string | number | Sentence

/** A tag for template literals: the English is read where it is said, and its parts are kept. */
export function say(words: TemplateStringsArray, ...values: readonly SentenceValue[]): Sentence {
  const texts = values.map(englishOf)
  const text = words.reduce((said, word, index) => `${said}${texts[index - 1]}${word}`)
  return { text, template: words.join('{}'), values }
}

export function englishOf(value: SentenceValue): string {
  return typeof value === 'object' ? value.text : String(value)
}
