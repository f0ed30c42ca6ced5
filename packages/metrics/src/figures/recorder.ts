/** From the events of one scheduler to figures. */
import type { ElasticJob, ElasticJobEvents } from '@elasticjob/core'

import { catalog, figureNames } from './catalog.ts'
import { changesOf, type Moment } from './changes.ts'
import type { ActiveName, CounterName } from './figure.ts'
import { JobLabels } from './job-labels.ts'
import { readingsOf } from './readings.ts'
import type { Change, Owner, Reading, Sink } from './series.ts'

export interface RecorderOptions {
  readonly jobLimit: number
  /** Whether the series of a job that has gone can be taken away, and make room for another one. */
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
    // Before the others: what follows in the same instant belongs to a job that is known.
    this.#listen('job:registered', ({ jobName }) => this.#add(jobName))
    for (const name of Object.keys(changesOf) as EventName[]) {
      this.#listen(name, (payload) => this.#told(name, payload))
    }
    this.#listen('job:stopped', ({ jobName }) => this.#forget(jobName))
  }

  /** What can only be seen by looking. */
  readings(): readonly Reading[] {
    return readingsOf(this.#jobs.standing(), this.#namespace, (name) => this.#labels.get(name))
  }

  /** Listens no more; its figures go. */
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

  /** Answers whether the code of the run that an event is about had begun. */
  #follow(name: EventName, payload: object): boolean {
    if (!('runId' in payload) || typeof payload.runId !== 'string') return false
    if (name === 'run:started') this.#active.add(payload.runId)
    return name === 'run:completed' && this.#active.delete(payload.runId)
  }

  #apply(change: Change, payload: object): void {
    const namespace = this.#namespace
    if (catalog[change.figure].scope !== 'job') {
      this.#sink.apply(change, { namespace })
      return
    }
    const job = 'jobName' in payload ? this.#labels.get(payload.jobName as string) : undefined
    // What a job that has left tells behind its end would bring its series back for ever.
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

  /** Counters begin with 0, or nobody could tell their first event from their being there. */
  #begin(owner: Owner, scope: 'job' | 'scheduler'): void {
    for (const name of figureNames) {
      const { kind, initial = [], scope: of } = catalog[name]
      if (of !== scope || (kind !== 'counter' && kind !== 'active')) continue
      for (const labels of initial) {
        this.#sink.apply({ figure: name as CounterName | ActiveName, labels, amount: 0 }, owner)
      }
    }
  }
}
