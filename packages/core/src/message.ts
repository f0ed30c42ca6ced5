/**
 * A text in several languages is identified by a code and named parameters. The catalogues in `messages/` have the
 * English text of each code. A translation is found by the code, so an English text can change without its
 * translations.
 */
import { configurationTexts } from './messages/configuration.ts'
import { cronTexts } from './messages/cron.ts'
import { decodingTexts } from './messages/decoding.ts'
import { doctorTexts } from './messages/doctor.ts'
import { operationsTexts } from './messages/operations.ts'

/** A text that can be translated. */
export interface Message {
  /** Identifies the text: the key of a translation. */
  readonly code: string
  /** The values in the text, by name. */
  readonly parameters: Readonly<Record<string, MessageValue>>
  /** The whole text in English. */
  readonly text: string
}

/** A parameter of a message; a parameter that is itself a message is translated as well. */
export type MessageValue = string | number | Message

/** English texts by code, with `{name}` for each parameter. */
type Texts = Readonly<Record<string, string>>

/** The names in braces; braces with a space inside are an example of code. */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | NamesIn<Rest>
  : never

type ParametersOf<Text> = [NamesIn<Text>] extends [never]
  ? []
  : [parameters: Readonly<Record<NamesIn<Text>, MessageValue>>]

/** Makes the message of a code; a missing or an unknown parameter does not compile. */
export type MessageFactory<T extends Texts> = <Code extends keyof T & string>(
  code: Code,
  ...parameters: ParametersOf<T[Code]>
) => Message

/** The messages of a catalogue. */
export function messageFactory<T extends Texts>(texts: T): MessageFactory<T> {
  return (code, ...[parameters = {}]: readonly Message['parameters'][]) => ({
    code,
    parameters,
    text: (texts[code] as string).replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      englishOf(parameters[name] as MessageValue),
    ),
  })
}

/** The text of a parameter in English. */
export function englishOf(value: MessageValue): string {
  return typeof value === 'object' ? value.text : String(value)
}

/** The catalogues of this package. */
export const coreTexts: typeof configurationTexts &
  typeof cronTexts &
  typeof decodingTexts &
  typeof doctorTexts &
  typeof operationsTexts = {
  ...configurationTexts,
  ...cronTexts,
  ...decodingTexts,
  ...doctorTexts,
  ...operationsTexts,
}

/** Makes a message of this package. */
export const message: MessageFactory<typeof coreTexts> = messageFactory(coreTexts)
