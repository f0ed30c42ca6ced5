/** Servers and instances, collected from the details of each job. */
import type { JobDetail, JobInstance, JobServer } from '@elasticjob/core/operations'

import type { InstanceEntry, ServerEntry, ServerJob } from '../../contract/servers.ts'

/** One server of a job. */
interface Part extends JobServer {
  /** The number of shards that its instances run now. */
  readonly running: number
  /** The whole part as text, to detect changes. */
  readonly text: string
}

interface Membership {
  readonly servers: ReadonlyMap<string, Part>
  readonly instances: readonly JobInstance[]
}

export class ServerBook {
  readonly #jobs = new Map<string, Membership>()
  readonly #jobsOf = new Map<string, Set<string>>()

  /** Undefined removes the job. Returns the changed servers. */
  put(jobName: string, job: JobDetail | undefined): readonly string[] {
    const before = this.#jobs.get(jobName)?.servers ?? new Map<string, Part>()
    const after = job === undefined ? new Map<string, Part>() : partsOf(job)
    if (job === undefined) this.#jobs.delete(jobName)
    else this.#jobs.set(jobName, { servers: after, instances: job.instances })
    const gone = [...before.keys()].filter((server) => !after.has(server))
    for (const server of gone) this.#leave(server, jobName)
    // A job can have thousands of dead servers: unchanged ones are not processed again for every run.
    const changed = [...after].filter(([server, { text }]) => before.get(server)?.text !== text)
    for (const [server] of changed) this.#join(server, jobName)
    return [...gone, ...changed.map(([server]) => server)]
  }

  #join(server: string, jobName: string): void {
    const jobs = this.#jobsOf.get(server)
    if (jobs === undefined) this.#jobsOf.set(server, new Set([jobName]))
    else jobs.add(jobName)
  }

  #leave(server: string, jobName: string): void {
    const jobs = this.#jobsOf.get(server)
    jobs?.delete(jobName)
    if (jobs?.size === 0) this.#jobsOf.delete(server)
  }

  get addresses(): string[] {
    return [...this.#jobsOf.keys()].toSorted()
  }

  /** Undefined if no job has the server. */
  entry(address: string): ServerEntry | undefined {
    if (!this.#jobsOf.has(address)) return undefined
    const jobs = this.jobs(address)
    const instances = [...new Set(jobs.flatMap((job) => job.instances))].toSorted()
    return {
      serverIp: address,
      instances,
      jobNames: jobs.map(({ jobName }) => jobName),
      instancesNum: instances.length,
      jobsNum: jobs.length,
      disabledJobsNum: jobs.filter(({ enabled }) => !enabled).length,
      pausedJobsNum: jobs.filter(({ paused }) => paused).length,
      crashedJobsNum: jobs.filter(({ status }) => status === 'CRASHED').length,
      shardsNum: jobs.reduce((sum, { shards }) => sum + shards.length, 0),
      runningNum: jobs.reduce((sum, { jobName }) => sum + this.#runningOn(jobName, address), 0),
    }
  }

  /** The jobs of a server, sorted by name. */
  jobs(address: string): ServerJob[] {
    const names = [...(this.#jobsOf.get(address) ?? [])].toSorted()
    return names.flatMap((jobName) => {
      const found = this.#jobs.get(jobName)?.servers.get(address)
      if (found === undefined) return []
      return [
        {
          jobName,
          status: found.status,
          instanceCount: found.instances.length,
          enabled: found.enabled,
          paused: found.paused,
          instances: [...found.instances],
          shards: [...found.shards],
        },
      ]
    })
  }

  instances(): InstanceEntry[] {
    const entries = new Map<string, InstanceEntry>()
    for (const [jobName, { instances }] of this.#jobs) {
      for (const { instance, server, java, leads, shards, running } of instances) {
        const known = entries.get(instance)
        entries.set(instance, {
          instance,
          server,
          java,
          jobNames: [...(known?.jobNames ?? []), jobName],
          leads: [...(known?.leads ?? []), ...(leads ? [jobName] : [])],
          shardsNum: (known?.shardsNum ?? 0) + shards.length,
          runningNum: (known?.runningNum ?? 0) + running.length,
        })
      }
    }
    return [...entries.values()].toSorted((a, b) => (a.instance < b.instance ? -1 : 1))
  }

  #runningOn(jobName: string, address: string): number {
    return this.#jobs.get(jobName)?.servers.get(address)?.running ?? 0
  }
}

function partsOf({ servers, instances }: JobDetail): Map<string, Part> {
  const running = new Map<string, number>()
  for (const { server, running: shards } of instances) {
    running.set(server, (running.get(server) ?? 0) + shards.length)
  }
  return new Map(
    servers.map((server) => {
      const part = { ...server, running: running.get(server.server) ?? 0 }
      return [server.server, { ...part, text: JSON.stringify(part) }]
    }),
  )
}
