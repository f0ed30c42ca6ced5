/** Messages of the server, for translation: the English text is in a field of its own, next to these parts. */
import { z } from 'zod'

export interface MessageParts {
  /** What the message is about: the key of a translation. */
  code: string
  /** The values in the message, by name; a value can be a message itself. */
  parameters: Record<string, string | number | MessageParts>
}

export const messageParts: z.ZodType<MessageParts> = z
  .object({
    code: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.lazy(() => messageParts)])),
  })
  .meta({ id: 'Message' })

/** Why something is not so, or was not done. */
export const reason = z.object({
  reason: z.string(),
  /** The same with its parts, for other languages; absent if it is English alone. */
  messageParts: messageParts.optional(),
  /** Of the error that is the reason, where it has one. */
  code: z.string().optional(),
})
export type Reason = z.infer<typeof reason>
