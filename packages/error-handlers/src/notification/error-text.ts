import { detailsOf, maskTexts, stackOf, summaryOf } from '@elasticjob/core/internal'

/** An error as text. */
export interface ErrorText {
  readonly name: string
  readonly message: string
  /** The stack, including the stacks of its causes. */
  readonly stack: string
}

/** Enough to find the location; longer stacks would crowd out the other failures of a message. */
const longestStack = 8_000
const longestMessage = 1_000
const mostCauses = 5

/** Masks passwords in URLs, which drivers repeat in their messages, because the text is posted to a chat. */
export function errorTextOf(error: unknown): ErrorText {
  return maskTexts(wholeTextOf(error))
}

function wholeTextOf(error: unknown): ErrorText {
  const { name, message } = detailsOf(error)
  return {
    name,
    message: shortened(message, longestMessage),
    stack: shortened(chainOf(error).join('\nCaused by: '), longestStack),
  }
}

/** The stacks of an error and of its causes; causes may be circular. */
function chainOf(error: unknown): string[] {
  const stacks: string[] = []
  let cause = error
  do {
    stacks.push(stackOf(cause) + attemptsOf(cause))
    cause = detailsOf(cause).cause
  } while (cause !== undefined && stacks.length <= mostCauses)
  return stacks
}

/** The errors of several attempts. */
function attemptsOf(error: unknown): string {
  const { errors } = detailsOf(error)
  return errors
    .slice(0, mostCauses)
    .map((one) => `\n  - ${summaryOf(one)}`)
    .join('')
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}
