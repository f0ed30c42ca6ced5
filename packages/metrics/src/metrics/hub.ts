/** All schedulers of a process that share one exporter. */
import type { Clock, ElasticJob } from '@elasticjob/core'
import { systemClock } from '@elasticjob/core/internal'

import { metricDefaults, type MetricOptions, type TracingSource } from '../options.ts'
import { tracingReadings } from './readings.ts'
import { Recorder } from './recorder.ts'
import { followRequests } from './requests.ts'
import type { Reading, Sink } from './series.ts'

export class MetricHub {
  readonly #sink: Sink
  readonly #jobLimit: number
  readonly #forgets: boolean
  readonly #tracing: TracingSource | undefined
  readonly #recorders = new Map<ElasticJob, Recorder>()
  readonly #ignoreRequests: () => void

  constructor(
    sink: Sink,
    { jobLimit = metricDefaults.jobLimit, tracing }: MetricOptions,
    forgets: boolean,
    clock: Clock = systemClock,
  ) {
    this.#sink = sink
    this.#jobLimit = jobLimit
    this.#forgets = forgets
    this.#tracing = tracing
    this.#ignoreRequests = followRequests(clock, (changes) => {
      for (const change of changes) sink.apply(change, {})
    })
  }

  /** Follows a scheduler until the returned function is called. Repeated calls have no effect. */
  follow(jobs: ElasticJob): () => void {
    if (!this.#recorders.has(jobs)) {
      const options = { jobLimit: this.#jobLimit, forgets: this.#forgets }
      this.#recorders.set(jobs, new Recorder(jobs, this.#sink, options))
    }
    return () => {
      this.#recorders.get(jobs)?.stop()
      this.#recorders.delete(jobs)
    }
  }

  readings(): readonly Reading[] {
    const all = [...this.#recorders.values()].flatMap((recorder) => recorder.readings())
    return [...all, ...tracingReadings(this.#tracing)]
  }

  stop(): void {
    this.#ignoreRequests()
    for (const recorder of this.#recorders.values()) recorder.stop()
    this.#recorders.clear()
  }
}
