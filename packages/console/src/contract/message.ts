/** Messages of the server with their parts, for clients that translate them. */
import { z } from 'zod'

/** The English text is in a separate field. */
export interface MessageParts {
  /** The English template with `{}` for each value: the key of a translation. */
  template: string
  /** The values of the template; a value that is itself a message has parts of its own. */
  values: (string | number | MessageParts)[]
}

export const messageParts: z.ZodType<MessageParts> = z
  .object({
    template: z.string(),
    values: z.array(z.union([z.string(), z.number(), z.lazy(() => messageParts)])),
  })
  .meta({ id: 'Sentence' })

/** The reason of a failure or of an omission. */
export const reason = z.object({
  reason: z.string(),
  /** The message parts for translation; absent if the message is English only. */
  messageParts: messageParts.optional(),
  /** The code of the error that is the reason, if it has one. */
  code: z.string().optional(),
})
export type Reason = z.infer<typeof reason>
