/** Colours by meaning, or none. */
export type Paint = (text: string) => string

export interface Style {
  readonly title: Paint
  readonly faint: Paint
  readonly good: Paint
  readonly doubtful: Paint
  readonly bad: Paint
  readonly accent: Paint
}

export const plain: Style = Object.freeze({
  title: same,
  faint: same,
  good: same,
  doubtful: same,
  bad: same,
  accent: same,
})

const colored: Style = Object.freeze({
  title: between(1, 22),
  faint: between(2, 22),
  good: between(32, 39),
  doubtful: between(33, 39),
  bad: between(31, 39),
  accent: between(36, 39),
})

export function styleOf(hasColors: boolean): Style {
  return hasColors ? colored : plain
}

function same(text: string): string {
  return text
}

function between(begin: number, end: number): Paint {
  return (text) => (text === '' ? '' : `\u001B[${begin}m${text}\u001B[${end}m`)
}
