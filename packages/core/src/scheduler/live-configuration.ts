/** The configuration of a job that is in effect, and the objects derived from it. It changes without a restart. */
import { availableParallelism } from 'node:os'

import { effective } from '../config/effective.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { isLegacyJson } from '../config/legacy-json.ts'
import { poolSizeOf } from '../config/pool-size.ts'
import { writeJob } from '../config/job-yaml.ts'
import { asNewJob } from '../config/new-job.ts'
import { readJob } from '../config/read-job.ts'
import type { StoredJob } from '../config/stored-job.ts'
import { ConfigurationError, isElasticJobError, type Problem } from '../errors.ts'
import { windowOf } from '../fire-times/due.ts'
import { FireHistory, fireSpanOf } from '../fire-times/fire-history.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { JobState } from '../job-tree/job-state.ts'
import type { JobReplica } from '../job-tree/replica.ts'
import { offPeriodsOf, type Timing, timelineOf, timingOf } from '../job-tree/timeline.ts'
import type { JobListener } from '../job-types/job-listener.ts'
import type { Runner } from '../job-types/job-type.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'
import { extensionProblemsOf, type ProcessServices } from './process-services.ts'
import { type RunLimits, runLimitsOf } from '../config/run-limits.ts'
import type { Message } from '../message.ts'
import { Schedule } from './schedule.ts'
import { Semaphore } from './semaphore.ts'

const oldVersionCanJoin =
  'the configuration in the registry is one of Elastic-Job 2.x, so that an instance of 2.x can still join the job and run shards beside this one; import it with `elasticjob import`'

export class LiveConfiguration {
  readonly slots: Semaphore = new Semaphore(Infinity)
  readonly #services: ProcessServices
  readonly #session: RegistrySession
  readonly #declared: JobConfiguration
  readonly #runnerOf: (props: JobConfiguration['props']) => Runner
  #configuration: JobConfiguration
  #runner: Runner
  #schedule: Schedule
  #limits: RunLimits
  #listeners: readonly JobListener[]
  /** The text in effect; undefined until the first read from the registry. */
  #text: string | undefined
  #refused: string | undefined
  #unreadable: Message | undefined
  #isMixed = false
  #timing: Timing
  /** The last computed history, with its inputs. */
  #history:
    | {
        readonly jobState: JobState
        readonly changed: number
        readonly schedule: Schedule
        readonly timing: Timing
        readonly value: FireHistory
      }
    | undefined

  constructor(
    services: ProcessServices,
    session: RegistrySession,
    declared: JobConfiguration,
    runnerOf: (props: JobConfiguration['props']) => Runner,
  ) {
    this.#services = services
    this.#session = session
    this.#declared = asNewJob(declared)
    this.#configuration = declared
    this.#runnerOf = runnerOf
    this.#runner = runnerOf(declared.props)
    this.#limits = runLimitsOf(declared.props)
    this.#listeners = services.listeners.get(declared.jobListenerTypes)
    this.#schedule = this.#scheduleOf(declared)
    this.#timing = timingOf(declared)
  }

  get value(): JobConfiguration {
    return this.#configuration
  }

  /** The content of the configuration node, or the content to store if there is none. */
  get text(): string {
    return this.#text ?? writeJob(this.#declared)
  }

  get runner(): Runner {
    return this.#runner
  }

  /** The timeout and retry limits of runs. */
  get limits(): RunLimits {
    return this.#limits
  }

  get listeners(): readonly JobListener[] {
    return this.#listeners
  }

  get schedule(): Schedule {
    return this.#schedule
  }

  /** The reason why the stored configuration cannot be read; undefined if it can. */
  get unreadable(): Message | undefined {
    return this.#unreadable
  }

  /**
   * Whether no configuration is known because the stored one cannot be read. A configuration that was read before stays
   * in effect.
   */
  get isBlocked(): boolean {
    return this.#text === undefined && this.#unreadable !== undefined
  }

  get timing(): Timing {
    return this.#timing
  }

  /** The past and current fire times. `isNoted`: whether the job state contains the current schedule. */
  historyOf(jobState: JobState, changed: number, isNoted: boolean): FireHistory {
    const key = this.#history
    const timing = this.#timing
    const fires = this.#schedule.fires
    if (
      key?.jobState !== jobState ||
      key.changed !== changed ||
      key.schedule !== this.#schedule ||
      key.timing !== timing
    ) {
      const spans = timelineOf(jobState, timing, changed, isNoted).map((span) =>
        fireSpanOf(span, { ...timing, fires }, this.#isMixed),
      )
      const value = new FireHistory(spans, offPeriodsOf(jobState))
      this.#history = { jobState, changed, schedule: this.#schedule, timing, value }
      return value
    }
    return key.value
  }

  /** Applies the stored configuration, unless it is invalid; returns the error if it is. */
  follow(replica: JobReplica): { readonly error: unknown } | undefined {
    const { config, jobName } = replica
    const mixed = isMixed(replica)
    if (mixed !== this.#isMixed) {
      this.#isMixed = mixed
      this.#schedule = this.#scheduleOf(this.#configuration)
      if (this.#text !== undefined) this.#warnOfZone()
    }
    // Compares texts and not versions: the version of a node that was deleted and created again starts at 0.
    if (config?.text === this.#text) this.#refused = undefined
    if (config === undefined || config.text === this.#text) return undefined
    if (config.text === this.#refused) return undefined
    const before = this.#configuration
    const isFirst = this.#text === undefined
    try {
      this.#apply(config.text, replica.paths.config)
    } catch (error) {
      this.#refused = config.text
      const isUnreadable = isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')
      this.#unreadable = isUnreadable ? error.messageParts : undefined
      this.#services.emit('config:refused', { jobName, error })
      return { error }
    }
    this.#text = config.text
    this.#refused = undefined
    this.#unreadable = undefined
    if (isFirst) this.#warnOfZone()
    else {
      const keys = changedKeys(before, this.#configuration)
      this.#services.emit('config:changed', { jobName, keys })
    }
    return undefined
  }

  /** Applies all or nothing: unknown names are detected before the first change. */
  #apply(text: string, source: string): void {
    const { listeners, emit } = this.#services
    const stored = this.#read(text, source)
    const { configuration, warnings } = effective(stored.configuration)
    const problems = [
      ...extensionProblemsOf(this.#services, configuration),
      ...this.#zoneProblems(configuration),
    ]
    if (problems.length > 0) throw new ConfigurationError(source, problems)
    const schedule = hasSameTimes(configuration, this.#configuration)
      ? this.#schedule
      : this.#scheduleOf(configuration)
    this.#runner = this.#runnerOf(configuration.props)
    this.#configuration = configuration
    this.#schedule = schedule
    this.#timing = timingOf(configuration)
    this.#limits = runLimitsOf(configuration.props)
    this.#listeners = listeners.get(configuration.jobListenerTypes)
    const pool = configuration.jobExecutorThreadPoolSizeProviderType
    this.slots.resize(poolSizeOf(pool, availableParallelism()) ?? Infinity)
    const { jobName } = configuration
    for (const { text: message } of [...stored.warnings, ...warnings]) {
      emit('config:warning', { jobName, message })
    }
    if (isLegacyJson(text)) emit('config:warning', { jobName, message: oldVersionCanJoin })
  }

  /**
   * Most stored configurations equal the declared one, and writing the declared one is much faster than reading the
   * stored one.
   */
  #read(text: string, source: string): Pick<StoredJob, 'configuration' | 'warnings'> {
    if (text === writeJob(this.#declared)) return { configuration: this.#declared, warnings: [] }
    return readJob(text, source)
  }

  /** Java instances do not follow a change of the time zone: they keep the zone that they started with. */
  #zoneProblems({ timeZone }: JobConfiguration): Problem[] {
    if (!this.#isMixed || this.#text === undefined) return []
    return timeZone === this.#configuration.timeZone ? [] : mixedZoneProblems(timeZone)
  }

  /** This instance cannot prevent a Java instance from joining a job with such a time zone. */
  #warnOfZone(): void {
    if (!this.#isMixed) return
    const { jobName, timeZone } = this.#configuration
    for (const { key, message } of mixedZoneProblems(timeZone)) {
      this.#services.emit('config:warning', { jobName, message: `${key}: ${message}` })
    }
  }

  /** In mixed mode a job fires at the same second as in Java. */
  #scheduleOf(configuration: JobConfiguration): Schedule {
    const window = windowOf(this.#session.client.sessionTimeout)
    return new Schedule(configuration, this.#isMixed, this.#session.now(), window)
  }
}

/** Whether both configurations have the same fire times. */
function hasSameTimes(one: JobConfiguration, other: JobConfiguration): boolean {
  return one.cron === other.cron && one.timeZone === other.timeZone
}

function changedKeys(before: JobConfiguration, after: JobConfiguration): string[] {
  return (Object.keys(after) as (keyof JobConfiguration)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
}
