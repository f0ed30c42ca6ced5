/** Validates and reads settings in a job's `props`. */
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

/** The longest timer delay. */
const mostMilliseconds = 2 ** 31 - 1

/** The trimmed text; undefined if it is empty. */
export function textOf(props: Props, key: string): string | undefined {
  return props[key]?.trim() || undefined
}

/** `example` is a valid value. The actual value is not shown: it may be a secret. */
export function problemsOfRequired(props: Props, key: string, example: string): readonly Problem[] {
  if (textOf(props, key) !== undefined) return []
  return [{ key, message: `is required, for example ${example}` }]
}

export function problemsOfInteger(props: Props, prop: IntegerProp): readonly Problem[] {
  const { key, least, most = mostMilliseconds } = prop
  const text = textOf(props, key)
  if (text === undefined) return []
  if (/^\+?\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return []
  return [{ key, message: `must be an integer from ${least} to ${most}, not "${text}"` }]
}

/** Reads a number that `problemsOfInteger` has validated. */
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

/** The URL of a webhook. Its value is not shown: every client that has it can post to the channel. */
export function problemsOfUrl(props: Props, key: string, example: string): readonly Problem[] {
  const text = textOf(props, key)
  if (text === undefined) return problemsOfRequired(props, key, example)
  const message = `must be a URL that begins with https:// or http://, for example ${example}`
  if (!URL.canParse(text)) return [{ key, message }]
  const { protocol } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? [] : [{ key, message }]
}
