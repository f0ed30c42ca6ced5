/** Waiting for instances to leave: who is still there is said, and Ctrl-C ends the waiting alone. */
import type { DepartureOptions } from '@elasticjob/core'

import type { Cli } from './cli.ts'
import { instanceName } from './output/states.ts'

export function departure(
  { output }: Cli,
  { seconds, isQuiet }: { readonly seconds: number | undefined; readonly isQuiet: boolean },
): DepartureOptions {
  return {
    ...(seconds === undefined ? {} : { wait: seconds * 1000 }),
    onProgress: ({ jobName, waitingFor }) => {
      if (isQuiet || waitingFor.length === 0) return
      output.note(`${jobName}: waits for ${waitingFor.map(instanceName).join(', ')}`)
    },
  }
}
