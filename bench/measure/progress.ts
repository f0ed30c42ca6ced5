const started = performance.now()

/** Says on stderr what is being done: stdout is for the result. */
export function progress(text: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(5)
  process.stderr.write(`${seconds} s  ${text}\n`)
}
