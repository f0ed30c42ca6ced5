/** A text with its variables put in, and what is wrong with them. */
interface Interpolated {
  readonly text: string
  readonly problems: readonly string[]
}

/**
 * Puts environment variables into a text: `${NAME}`, `${NAME:-otherwise}` (also for one that is set
 * and empty, as in a shell), and `$$` for a dollar sign. A variable that is not set is a problem: a
 * job that silently ran with nothing in its place would be found out much later.
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
