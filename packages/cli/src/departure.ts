/** Reports the instances that have not left yet; Ctrl-C ends only the waiting. */
import type { DepartureOptions } from '@elasticjob/core/operations'

import type { Cli } from './cli.ts'
import { instanceName } from './output/states.ts'

export function departure(
  { output }: Cli,
  { seconds, isSynced }: { readonly seconds: number | undefined; readonly isSynced: boolean },
): DepartureOptions {
  return {
    ...(seconds === undefined ? {} : { wait: seconds * 1000 }),
    onProgress: ({ jobName, waitingFor }) => {
      if (isSynced || waitingFor.length === 0) return
      output.note(`${jobName}: waiting for ${waitingFor.map(instanceName).join(', ')}`)
    },
  }
}
