import type { FollowedNamespace, JobDetail, NamespaceListener } from '@elasticjob/core/operations'

/** A namespace that the test tells of. */
export class FollowedJobs {
  readonly jobs = new Map<string, JobDetail>()
  reads = 0
  #listener: NamespaceListener | undefined

  constructor(count: number) {
    for (let index = 0; index < count; index++) this.set(`job-${index}`, '')
  }

  set(jobName: string, description: string): void {
    this.jobs.set(jobName, detail(jobName, description))
  }

  /** Somebody has written to the registry. */
  change(jobName: string, description: string): void {
    this.set(jobName, description)
    this.#listener?.changed([jobName])
  }

  readonly follow = (listener: NamespaceListener): Promise<FollowedNamespace> => {
    this.#listener = listener
    const followed: Pick<FollowedNamespace, 'jobNames' | 'job' | 'settled' | 'stop'> = {
      jobNames: () => Promise.resolve([...this.jobs.keys()]),
      job: (jobName) => {
        this.reads += 1
        return Promise.resolve(this.jobs.get(jobName))
      },
      settled: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    }
    return Promise.resolve(followed as FollowedNamespace)
  }
}

function detail(jobName: string, description: string): JobDetail {
  return {
    jobName,
    broken: [],
    description,
    status: 'OK',
    legacyStatus: 'OK',
    paused: false,
    pausedServers: [],
    refusedClocks: [],
    removing: false,
    cron: undefined,
    timeZone: undefined,
    shardingTotalCount: 0,
    instanceCount: 1,
    serverCount: 1,
    kind: 'ours',
    nextFireTime: undefined,
    problem: undefined,
    configuration: undefined,
    configurationVersion: 0,
    leader: undefined,
    shards: [],
    servers: [],
    instances: [],
    manualRuns: { last: 0, running: undefined, pending: undefined, previous: undefined },
    resharding: undefined,
  }
}
