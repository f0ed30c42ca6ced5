import { inspect } from 'node:util'

/** An error in words. */
export interface ErrorText {
  readonly name: string
  readonly message: string
  /** The stack, with those of its causes. */
  readonly stack: string
}

/** Enough of every stack to find the place; more would crowd out the other failures of a message. */
const longestStack = 8_000
const longestMessage = 1_000
const mostCauses = 5

export function errorTextOf(error: unknown): ErrorText {
  if (!(error instanceof Error)) {
    const text = shortened(shown(error), longestStack)
    return { name: typeof error, message: shortened(text, longestMessage), stack: text }
  }
  return {
    name: error.name,
    message: shortened(error.message, longestMessage),
    stack: shortened(chainOf(error).join('\nCaused by: '), longestStack),
  }
}

/** The stacks of an error and of its causes; causes may be circular. */
function chainOf(error: Error): string[] {
  const stacks: string[] = []
  let cause: unknown = error
  while (cause !== undefined && stacks.length <= mostCauses) {
    stacks.push(cause instanceof Error ? stackOf(cause) : shown(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return stacks
}

function stackOf(error: Error): string {
  const stack = error.stack ?? `${error.name}: ${error.message}`
  if (!(error instanceof AggregateError)) return stack
  const each = error.errors.slice(0, mostCauses).map((one: unknown) => `\n  - ${headline(one)}`)
  return stack + each.join('')
}

function headline(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : shown(error)
}

/** Anything may be thrown. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 2, maxArrayLength: 20 })
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}
