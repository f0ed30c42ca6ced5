/** Signals that end the process. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves with the first such signal; later ones have their default effect. */
export function untilToldToEnd(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const told = (signal: NodeJS.Signals): void => {
      for (const each of signals) process.off(each, told)
      resolve(signal)
    }
    for (const each of signals) process.on(each, told)
  })
}
