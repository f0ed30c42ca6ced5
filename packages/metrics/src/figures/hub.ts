/** All schedulers of a process whose figures go to one place. */
import type { ElasticJob } from '@elasticjob/core'

import { type Clock, systemClock } from '../clock.ts'
import { figureDefaults, type FigureOptions, type TracingSource } from '../options.ts'
import { tracingReadings } from './readings.ts'
import { Recorder } from './recorder.ts'
import { followRequests } from './requests.ts'
import type { Reading, Sink } from './series.ts'

export class FigureHub {
  readonly #sink: Sink
  readonly #jobLimit: number
  readonly #forgets: boolean
  readonly #tracing: TracingSource | undefined
  readonly #recorders = new Map<ElasticJob, Recorder>()
  readonly #ignoreRequests: () => void

  constructor(
    sink: Sink,
    { jobLimit = figureDefaults.jobLimit, tracing }: FigureOptions,
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

  /** Shows the figures of a scheduler, until the answer is called. Twice the same is once. */
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
