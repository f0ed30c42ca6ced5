/** A message that can be translated: its English template and the values in it. */
export interface Message {
  /** In English, whole. */
  readonly text: string
  /** The English template with `{}` for each value: the key of a translation. */
  readonly template: string
  readonly values: readonly MessageValue[]
}

/** A value of a message; a value that is itself a message is translated as well. */
export type MessageValue = string | number | Message

/** A tag for template literals: builds the English text and keeps the template and its values. */
export function message(words: TemplateStringsArray, ...values: readonly MessageValue[]): Message {
  const texts = values.map(englishOf)
  const text = words.reduce((built, word, index) => `${built}${texts[index - 1]}${word}`)
  return { text, template: words.join('{}'), values }
}

export function englishOf(value: MessageValue): string {
  return typeof value === 'object' ? value.text : String(value)
}
