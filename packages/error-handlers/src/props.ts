/** Settings among a job's `props`: what may be wrong with them, and what they say. */
import type { Problem } from '@elasticjob/core'

export type Props = Readonly<Record<string, string>>

export interface IntegerProp {
  readonly key: string
  readonly least: number
  readonly most?: number
  readonly byDefault: number
}

export interface FlagProp {
  readonly key: string
  readonly byDefault: boolean
}

/** The longest that a timer can wait. */
const mostMilliseconds = 2 ** 31 - 1

/** The text, without the blanks around it; undefined if there is none. */
export function textOf(props: Props, key: string): string | undefined {
  return props[key]?.trim() || undefined
}

/** `example` says what would be right. Never what is there: it may be a secret. */
export function problemsOfRequired(props: Props, key: string, example: string): readonly Problem[] {
  if (textOf(props, key) !== undefined) return []
  return [{ key, message: `is required, such as ${example}` }]
}

export function problemsOfInteger(props: Props, prop: IntegerProp): readonly Problem[] {
  const { key, least, most = mostMilliseconds } = prop
  const text = textOf(props, key)
  if (text === undefined) return []
  if (/^\+?\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return []
  return [{ key, message: `must be a whole number from ${least} to ${most}, not "${text}"` }]
}

/** The number, of properties in which `problemsOfInteger` has found nothing. */
export function integerOf(props: Props, { key, byDefault }: IntegerProp): number {
  const text = textOf(props, key)
  return text === undefined ? byDefault : Number(text)
}

export function problemsOfFlag(props: Props, { key }: FlagProp): readonly Problem[] {
  const text = textOf(props, key)
  if (text === undefined || /^(true|false)$/i.test(text)) return []
  return [{ key, message: `must be true or false, not "${text}"` }]
}

export function flagOf(props: Props, { key, byDefault }: FlagProp): boolean {
  const text = textOf(props, key)
  return text === undefined ? byDefault : text.toLowerCase() === 'true'
}

/** The address of a webhook. What is there is not shown: whoever has it can write to the channel. */
export function problemsOfUrl(props: Props, key: string, example: string): readonly Problem[] {
  const text = textOf(props, key)
  if (text === undefined) return problemsOfRequired(props, key, example)
  const message = `must be a URL that begins with https:// or http://, such as ${example}`
  if (!URL.canParse(text)) return [{ key, message }]
  const { protocol } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? [] : [{ key, message }]
}
