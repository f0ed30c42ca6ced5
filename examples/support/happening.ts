/** How the examples wait for what they show: for events, with a time limit. */
import type { ElasticJob, ElasticJobEvents } from '@elasticjob/core'

const limit = 30_000

/** Also limits waits elsewhere: to connect, to schedule, to stop. */
setTimeout(() => {
  console.error(`The example did not complete within ${limit / 1000} seconds.`)
  process.exit(1)
}, limit).unref()

/** Resolves with the first matching event of this name. */
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

/** Resolves when this many runs have succeeded and the registry has recorded them. */
export async function runs(jobs: ElasticJob, count: number): Promise<void> {
  let left = count
  await happening(jobs, 'run:recorded', ({ outcome }) => {
    if (outcome === 'success') left -= 1
    return left === 0
  })
}
