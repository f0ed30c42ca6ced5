/** Converts the events of one scheduler into metrics. */
import type { ElasticJob, ElasticJobEvents } from '@elasticjob/core'

import { catalog, metricNames } from './catalog.ts'
import { changesOf, type Moment } from './changes.ts'
import type { ActiveName, CounterName } from './metric.ts'
import { JobLabels } from './job-labels.ts'
import { readingsOf } from './readings.ts'
import type { Change, Owner, Reading, Sink } from './series.ts'

export interface RecorderOptions {
  readonly jobLimit: number
  /** Whether the series of a stopped job can be removed and its label reused. */
  readonly forgets: boolean
}

type EventName = keyof typeof changesOf

export class Recorder {
  readonly #jobs: ElasticJob
  readonly #sink: Sink
  readonly #labels: JobLabels
  readonly #namespace: string
  readonly #active = new Set<string>()
  readonly #listeners: (() => void)[] = []

  constructor(jobs: ElasticJob, sink: Sink, { jobLimit, forgets }: RecorderOptions) {
    this.#jobs = jobs
    this.#sink = sink
    this.#labels = new JobLabels(jobLimit, forgets)
    this.#namespace = jobs.namespace
    this.#begin({ namespace: this.#namespace }, 'scheduler')
    for (const jobName of jobs.jobNames) this.#add(jobName)
    // First: later listeners of the same event then know the job.
    this.#listen('job:registered', ({ jobName }) => this.#add(jobName))
    for (const name of Object.keys(changesOf) as EventName[]) {
      this.#listen(name, (payload) => this.#told(name, payload))
    }
    this.#listen('job:stopped', ({ jobName }) => this.#forget(jobName))
  }

  /** The metrics that are read on every scrape. */
  readings(): readonly Reading[] {
    return readingsOf(this.#jobs.status(), this.#namespace, (name) => this.#labels.get(name))
  }

  /** Stops listening; its metrics are removed. */
  stop(): void {
    for (const remove of this.#listeners.splice(0)) remove()
    for (const job of this.#labels.all) this.#sink.forget({ namespace: this.#namespace, job })
    this.#sink.forget({ namespace: this.#namespace })
  }

  #listen<Name extends keyof ElasticJobEvents>(
    name: Name,
    listener: (payload: ElasticJobEvents[Name][0]) => void,
  ): void {
    this.#jobs.on(name, listener as never)
    this.#listeners.push(() => this.#jobs.off(name, listener as never))
  }

  #told<Name extends EventName>(name: Name, payload: ElasticJobEvents[Name][0]): void {
    const moment: Moment = {
      now: this.#jobs.now().getTime(),
      wasActive: this.#follow(name, payload),
    }
    const reaction = changesOf[name]
    for (const change of reaction?.(payload, moment) ?? []) this.#apply(change, payload)
  }

  /** Returns whether the code of the event's run had started. */
  #follow(name: EventName, payload: object): boolean {
    if (!('runId' in payload) || typeof payload.runId !== 'string') return false
    if (name === 'run:started') this.#active.add(payload.runId)
    return name === 'run:completed' && this.#active.delete(payload.runId)
  }

  #apply(change: Change, payload: object): void {
    const namespace = this.#namespace
    if (catalog[change.metric].scope !== 'job') {
      this.#sink.apply(change, { namespace })
      return
    }
    const job = 'jobName' in payload ? this.#labels.get(payload.jobName as string) : undefined
    // Events after the stop of a job would bring its series back forever.
    if (job !== undefined) this.#sink.apply(change, { namespace, job })
  }

  #add(jobName: string): void {
    const job = this.#labels.add(jobName)
    this.#begin({ namespace: this.#namespace, job }, 'job')
  }

  #forget(jobName: string): void {
    const job = this.#labels.remove(jobName)
    if (job !== undefined) this.#sink.forget({ namespace: this.#namespace, job })
  }

  /** Counters start at 0: otherwise their first event would not be visible as an increase. */
  #begin(owner: Owner, scope: 'job' | 'scheduler'): void {
    for (const name of metricNames) {
      const { kind, initial = [], scope: of } = catalog[name]
      if (of !== scope || (kind !== 'counter' && kind !== 'active')) continue
      for (const labels of initial) {
        this.#sink.apply({ metric: name as CounterName | ActiveName, labels, amount: 0 }, owner)
      }
    }
  }
}
