/**
 * Makes what a program says fit what a table takes. The one place that does it: everything that is
 * stored has been through here, whatever the database.
 */

/** Which characters a column can hold; what it cannot becomes a replacement character. */
export type Repertoire = 'unicode' | 'bmp' | 'latin1' | 'ascii'

/** A column of text. */
export interface TextLimits {
  /** How many characters it takes, a surrogate pair being one; undefined for as many as there are. */
  readonly length: number | undefined
  readonly repertoire: Repertoire
}

/** The first and the last time that a column can hold, in milliseconds. */
export interface TimeLimits {
  readonly first: number
  readonly last: number
}

/** From 1970 to the end of the year 9999. Dates beyond are those of a broken clock. */
export const ourTimes: TimeLimits = Object.freeze({ first: 0, last: 253_402_300_799_999 })

// A text without a NUL and without a surrogate, which is nearly every text, passes with one look.
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

/** The text, cut to the column's length, with nothing in it that the column cannot hold. */
export function cleanText(text: string, { length, repertoire }: TextLimits): string {
  const hasTrouble = trouble[repertoire].test(text)
  if (!hasTrouble)
    return length === undefined || text.length <= length ? text : text.slice(0, length)
  // A character is at most two code units, so more than that many never have to be looked at.
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
  // Half of a pair: no encoding has it, so it would come back as something else.
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return false
  return codePoint <= lastCodePoint[repertoire]
}

const lastCodePoint: Readonly<Record<Repertoire, number>> = {
  unicode: 0x10ffff,
  bmp: 0xffff,
  latin1: 0xff,
  ascii: 0x7f,
}

/** Whole milliseconds that the column can hold: the nearest, for a clock that is out of its mind. */
export function cleanTime(time: number, { first, last }: TimeLimits): number {
  return Math.trunc(Math.min(Math.max(time, first), last))
}

/** A length of time: whole, and never negative, whatever the clock did in between. */
export function cleanSpan(milliseconds: number): number {
  return Math.trunc(Math.min(Math.max(milliseconds, 0), ourTimes.last))
}

/** The items of a task as Java prints a list; one that is too long for the column says so at its end. */
export function itemList(items: readonly number[], length: number | undefined): string {
  const whole = `[${items.join(', ')}]`
  if (length === undefined || whole.length <= length) return whole
  const kept = whole.slice(0, length - ', ...]'.length)
  return `${kept.slice(0, kept.lastIndexOf(','))}, ...]`
}

/** What such a list says, as far as it does. */
export function itemsOf(list: string): readonly number[] {
  return (list.match(/\d+/g) ?? []).map(Number)
}
