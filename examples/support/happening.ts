/** How the examples wait for what they show: by events, and not for ever. */
import type { ElasticJob, ElasticJobEvents } from '@elasticjob/core'

const limit = 30_000

/** Also for what is waited for elsewhere: to connect, to be scheduled, to stop. */
setTimeout(() => {
  console.error(`What this example shows has not happened within ${limit / 1000} seconds.`)
  process.exit(1)
}, limit).unref()

/** Resolves with the first event of this name that is meant. */
export function happening<Name extends keyof ElasticJobEvents>(
  jobs: ElasticJob,
  name: Name,
  isMeant: (payload: ElasticJobEvents[Name][0]) => boolean = () => true,
): Promise<ElasticJobEvents[Name][0]> {
  return new Promise((resolve) => {
    const listener = (payload: ElasticJobEvents[Name][0]): void => {
      if (!isMeant(payload)) return
      jobs.off(name, listener as never)
      resolve(payload)
    }
    jobs.on(name, listener as never)
  })
}

/** Resolves when so many runs have succeeded and the registry knows it. */
export async function runs(jobs: ElasticJob, count: number): Promise<void> {
  let left = count
  await happening(jobs, 'run:recorded', ({ outcome }) => {
    if (outcome === 'success') left -= 1
    return left === 0
  })
}
