/** The interpolated text, and the problems of its variables. */
interface Interpolated {
  readonly text: string
  readonly problems: readonly string[]
}

/**
 * Interpolates environment variables: `${NAME}`, `${NAME:-otherwise}` (also for a variable that is set and empty, as in
 * a shell), and `$$` for a dollar sign. An unset variable is a problem: a job that silently runs with an empty value
 * would fail much later.
 */
export function interpolate(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): Interpolated {
  const problems: string[] = []
  const result = text.replaceAll(reference, (whole: string, inside: string | undefined) => {
    if (whole === '$$') return '$'
    const match = whole.endsWith('}') ? variable.exec(inside ?? '') : null
    if (match === null) {
      problems.push(`"${whole}" is not a variable; write \${NAME}, or $$ for a dollar sign`)
      return ''
    }
    const [, name = '', otherwise] = match
    const value = environment[name]
    if (otherwise !== undefined) return value === undefined || value === '' ? otherwise : value
    if (value === undefined) {
      problems.push(
        `the environment variable ${name} is not set; set it, or write \${${name}:-otherwise}`,
      )
    }
    return value ?? ''
  })
  return { text: result, problems }
}

const reference = /\$\$|\$\{([^}]*)\}?/g
const variable = /^([A-Za-z_]\w*)(?::-(.*))?$/s
