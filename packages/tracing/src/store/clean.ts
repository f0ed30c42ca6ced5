/** Makes texts and times fit their columns. Every stored value passes through here, for every database. */

/** The characters that a column can hold; others become a replacement character. */
export type Repertoire = 'unicode' | 'bmp' | 'latin1' | 'ascii'

/** A text column. */
export interface TextLimits {
  /** Its length in characters, where a surrogate pair is one; undefined for no limit. */
  readonly length: number | undefined
  readonly repertoire: Repertoire
}

/** The first and the last time that a column can hold, in milliseconds. */
export interface TimeLimits {
  readonly first: number
  readonly last: number
}

/** From 1970 to the end of year 9999. Other dates come from a broken clock. */
export const ourTimes: TimeLimits = Object.freeze({ first: 0, last: 253_402_300_799_999 })

// A text without NUL and surrogates, which is nearly every text, needs only this check.
const unicodeTrouble = /[\0\uD800-\uDFFF]/
// oxlint-disable-next-line no-control-regex -- as above
const beyondLatin1 = /[^\u0001-\u00FF]/
// oxlint-disable-next-line no-control-regex -- as above
const beyondAscii = /[^\u0001-\u007F]/

const trouble: Readonly<Record<Repertoire, RegExp>> = {
  unicode: unicodeTrouble,
  bmp: unicodeTrouble,
  latin1: beyondLatin1,
  ascii: beyondAscii,
}

/** The text, truncated to the column's length and without characters that the column cannot hold. */
export function cleanText(text: string, { length, repertoire }: TextLimits): string {
  const hasTrouble = trouble[repertoire].test(text)
  if (!hasTrouble)
    return length === undefined || text.length <= length ? text : text.slice(0, length)
  // A character has at most two code units, so no more than that many need a check.
  const candidate = length === undefined ? text : text.slice(0, length * 2)
  let cleaned = ''
  let count = 0
  for (const character of candidate) {
    if (count === length) break
    cleaned += canHold(repertoire, character.codePointAt(0) ?? 0)
      ? character
      : replacements[repertoire]
    count += 1
  }
  return cleaned
}

const replacements: Readonly<Record<Repertoire, string>> = {
  unicode: '\uFFFD',
  bmp: '\uFFFD',
  latin1: '?',
  ascii: '?',
}

function canHold(repertoire: Repertoire, codePoint: number): boolean {
  if (codePoint === 0) return false
  // A lone surrogate: no encoding has it, so it would be read back as something else.
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return false
  return codePoint <= lastCodePoint[repertoire]
}

const lastCodePoint: Readonly<Record<Repertoire, number>> = {
  unicode: 0x10ffff,
  bmp: 0xffff,
  latin1: 0xff,
  ascii: 0x7f,
}

/** The nearest whole millisecond that the column can hold. */
export function cleanTime(time: number, { first, last }: TimeLimits): number {
  return Math.trunc(Math.min(Math.max(time, first), last))
}

/** A duration: an integer and never negative, even if the clock was changed in between. */
export function cleanSpan(milliseconds: number): number {
  return Math.trunc(Math.min(Math.max(milliseconds, 0), ourTimes.last))
}

/** The shards of a task as Java prints a list; a list too long for the column ends with a marker. */
export function shardList(shards: readonly number[], length: number | undefined): string {
  const whole = `[${shards.join(', ')}]`
  if (length === undefined || whole.length <= length) return whole
  const kept = whole.slice(0, length - ', ...]'.length)
  return `${kept.slice(0, kept.lastIndexOf(','))}, ...]`
}

/** Parses such a list, as far as it is complete. */
export function shardsOf(list: string): readonly number[] {
  return (list.match(/\d+/g) ?? []).map(Number)
}
