/** A job's configuration as it is in effect, and what is made from it: it changes without a restart. */
import { availableParallelism } from 'node:os'

import { effective } from '../config/effective.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { poolSizeOf } from '../config/pool-size.ts'
import { writeJob } from '../config/job-yaml.ts'
import { readJob } from '../config/read-job.ts'
import type { StoredJob } from '../config/stored-job.ts'
import { ConfigurationError, type Problem } from '../errors.ts'
import { windowOf } from '../execution/due.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { JobReplica } from '../job-tree/replica.ts'
import type { JobListener } from '../job-types/job-listener.ts'
import type { Runner } from '../job-types/job-type.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'
import { monitoringProblemsOf } from '../config/monitoring.ts'
import type { ProcessServices } from './process-services.ts'
import { type RunLimits, runLimitsOf, runLimitsProblemsOf } from '../config/run-limits.ts'
import { Schedule } from './schedule.ts'
import { Slots } from './slots.ts'

/** The version of a configuration that was not read from the registry. */
const undeclared = -1

export class LiveConfiguration {
  readonly slots: Slots = new Slots(Infinity)
  readonly #services: ProcessServices
  readonly #session: RegistrySession
  readonly #declared: JobConfiguration
  readonly #runnerOf: (props: JobConfiguration['props']) => Runner
  #configuration: JobConfiguration
  #runner: Runner
  #schedule: Schedule
  #limits: RunLimits
  #listeners: readonly JobListener[]
  #version = undeclared
  #refused = undeclared
  #isMixed = false

  constructor(
    services: ProcessServices,
    session: RegistrySession,
    declared: JobConfiguration,
    runnerOf: (props: JobConfiguration['props']) => Runner,
  ) {
    this.#services = services
    this.#session = session
    this.#declared = declared
    this.#configuration = declared
    this.#runnerOf = runnerOf
    this.#runner = runnerOf(declared.props)
    this.#limits = runLimitsOf(declared.props)
    this.#listeners = services.listeners.get(declared.jobListenerTypes)
    this.#schedule = this.#scheduleOf(declared)
  }

  get value(): JobConfiguration {
    return this.#configuration
  }

  get runner(): Runner {
    return this.#runner
  }

  /** How long runs may take, and how often they are tried. */
  get limits(): RunLimits {
    return this.#limits
  }

  get listeners(): readonly JobListener[] {
    return this.#listeners
  }

  get schedule(): Schedule {
    return this.#schedule
  }

  /** What the registry says takes effect, unless it cannot be used; answers what is wrong with it. */
  follow(replica: JobReplica): { readonly error: unknown } | undefined {
    const { config, jobName } = replica
    const mixed = isMixed(replica)
    if (mixed !== this.#isMixed) {
      this.#isMixed = mixed
      this.#schedule = this.#scheduleOf(this.#configuration)
      if (this.#version !== undeclared) this.#warnOfZone()
    }
    if (config === undefined || config.version === this.#version) return undefined
    if (config.version === this.#refused) return undefined
    const before = this.#configuration
    const isFirst = this.#version === undeclared
    try {
      this.#apply(config.text, replica.paths.config)
    } catch (error) {
      this.#refused = config.version
      this.#services.emit('config:refused', { jobName, error })
      return { error }
    }
    this.#version = config.version
    if (isFirst) this.#warnOfZone()
    else {
      const keys = changedKeys(before, this.#configuration)
      this.#services.emit('config:changed', { jobName, keys })
    }
    return undefined
  }

  /** All of it or nothing: a name that nobody knows is found before anything is different. */
  #apply(text: string, source: string): void {
    const { strategies, errorHandlers, listeners, emit } = this.#services
    const stored = this.#read(text, source)
    const { configuration, warnings } = effective(stored.configuration)
    strategies.get(configuration.jobShardingStrategyType)
    const asked = listeners.get(configuration.jobListenerTypes)
    const problems = [
      ...errorHandlers.problemsOf(configuration.jobErrorHandlerType, configuration.props),
      ...runLimitsProblemsOf(configuration.props),
      ...monitoringProblemsOf(configuration.props),
      ...this.#zoneProblems(configuration),
    ]
    if (problems.length > 0) throw new ConfigurationError(source, problems)
    const schedule = hasSameTimes(configuration, this.#configuration)
      ? this.#schedule
      : this.#scheduleOf(configuration)
    this.#runner = this.#runnerOf(configuration.props)
    this.#configuration = configuration
    this.#schedule = schedule
    this.#limits = runLimitsOf(configuration.props)
    this.#listeners = asked
    const pool = configuration.jobExecutorThreadPoolSizeProviderType
    this.slots.resize(poolSizeOf(pool, availableParallelism()) ?? Infinity)
    for (const { text: message } of [...stored.warnings, ...warnings]) {
      emit('config:warning', { jobName: configuration.jobName, message })
    }
  }

  /** Most jobs are what they were declared to be: to write that down takes a fraction of reading it. */
  #read(text: string, source: string): Pick<StoredJob, 'configuration' | 'warnings'> {
    if (text === writeJob(this.#declared)) return { configuration: this.#declared, warnings: [] }
    return readJob(text, source)
  }

  /** Java's instances would not follow: they keep the zone that they were started with. */
  #zoneProblems({ timeZone }: JobConfiguration): Problem[] {
    if (!this.#isMixed || this.#version === undeclared) return []
    return timeZone === this.#configuration.timeZone ? [] : mixedZoneProblems(timeZone)
  }

  /** A Java instance that has joined a job with such a zone is out of our hands. */
  #warnOfZone(): void {
    if (!this.#isMixed) return
    const { jobName, timeZone } = this.#configuration
    for (const { key, message } of mixedZoneProblems(timeZone)) {
      this.#services.emit('config:warning', { jobName, message: `${key}: ${message}` })
    }
  }

  /** A mixed job fires when Java does, to the second. */
  #scheduleOf(configuration: JobConfiguration): Schedule {
    const window = windowOf(this.#session.client.sessionTimeout)
    return new Schedule(configuration, this.#isMixed, this.#session.now(), window)
  }
}

/** Whether both fire at the same times. */
function hasSameTimes(one: JobConfiguration, other: JobConfiguration): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone
}

function changedKeys(before: JobConfiguration, after: JobConfiguration): string[] {
  return (Object.keys(after) as (keyof JobConfiguration)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}
