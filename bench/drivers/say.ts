/** One line of JSON for who started this program. */
export function say(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/** Resolves when who started this program wants it to end. */
export function endOfInput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.on('end', resolve).resume()
  })
}
