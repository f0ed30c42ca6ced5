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

/** The reason of a failure or of an omission. */
export const reason = z.object({
  reason: z.string(),
  /** The message parts for translation; absent if the message is English only. */
  messageParts: messageParts.optional(),
  /** The code of the error that is the reason, if it has one. */
  code: z.string().optional(),
})
export type Reason = z.infer<typeof reason>
