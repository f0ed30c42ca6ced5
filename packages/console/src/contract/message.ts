/** What the server says as text, with its parts: whoever reads it in another language puts it together anew. */
import { z } from 'zod'

/** English stands beside it, in a field of its own. */
export interface MessageParts {
  /** The English template with `{}` for each value: the key of a translation. */
  template: string
  /** What stands in those places; a part that is itself a sentence has parts of its own. */
  values: (string | number | MessageParts)[]
}

export const messageParts: z.ZodType<MessageParts> = z
  .object({
    template: z.string(),
    values: z.array(z.union([z.string(), z.number(), z.lazy(() => messageParts)])),
  })
  .meta({ id: 'Sentence' })

/** Why something is not so, or was not done. */
export const reason = z.object({
  reason: z.string(),
  /** The same with its parts, for other languages; absent if it is English alone. */
  messageParts: messageParts.optional(),
  /** Of the error that is the reason, where it has one. */
  code: z.string().optional(),
})
export type Reason = z.infer<typeof reason>
