/** Decodes untrusted JSON: measures it before parsing, and checks its shape before any code relies on it. */
import { message } from '../message.ts'
import { Budget, BudgetExceeded } from './budget.ts'
import type { Decoded } from './problem.ts'
import { Mismatch, type Shape } from './shape.ts'

/** The value of a JSON text with the expected shape, or the problem. */
export function decodeJson<T>(text: string, path: string, shape: Shape<T>): Decoded<T> {
  try {
    return { value: shape(parseJson(text, new Budget()), '') }
  } catch (error) {
    const expected = message('kind-own-json')
    if (error instanceof Mismatch) {
      return { problem: { path, what: error.what, expected: error.expected } }
    }
    if (error instanceof BudgetExceeded) return { problem: { path, what: error.what, expected } }
    if (error instanceof SyntaxError)
      return { problem: { path, what: message('not-json'), expected } }
    throw error
  }
}

/** `JSON.parse` within a budget: throws `BudgetExceeded` before the work, and `SyntaxError` as usual. */
export function parseJson(text: string, budget: Budget): unknown {
  budget.spend('length', text.length)
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isText) {
      if (code === backslash) index += 1
      else if (code === quote) isText = false
    } else if (code === quote) isText = true
    else if (code === openBrace || code === openBracket) budget.reach(++depth)
    else if (code === closeBrace || code === closeBracket) depth -= 1
  }
  return JSON.parse(text) as unknown
}

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
