/** Copies of alert rules for tests that cannot wait for ten minutes. */

export interface ShortTimes {
  /** What every range of a rule becomes: `[10m]`. */
  readonly range: string
  /** What every `for:` becomes. */
  readonly hold: string
}

/**
 * The same rules with other times: the ranges that they look back over, and how long what they find has to
 * hold. Expressions, thresholds and labels are untouched.
 */
export function shortRules(rules: string, { range, hold }: ShortTimes): string {
  return rules
    .replaceAll(/\[\d+[smhd]\]/g, `[${range}]`)
    .replaceAll(/^(\s*)for: \d+[smhd]$/gm, `$1for: ${hold}`)
}
