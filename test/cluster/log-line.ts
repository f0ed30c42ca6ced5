/** What the workers write down: one JSON line for each run, and one for each event worth knowing. */

/** One run of one shard, written from inside the job's own function. Times are `Date.now()`. */
export interface RunLine {
  readonly job: string
  readonly shard: number
  readonly fireTime: number
  readonly start: number
  readonly end: number
  readonly instance: string
  readonly runId: string
  readonly source: string
}

/** Something that the scheduler of a worker told. */
interface EventLine {
  readonly event: string
  readonly at: number
  readonly worker: number
  readonly payload: unknown
}

export interface WorkerLog {
  readonly runs: readonly RunLine[]
  readonly events: readonly EventLine[]
}

/** Throws at a line that is cut: a worker that ends cleanly leaves none. */
export function parseLog(text: string): WorkerLog {
  const runs: RunLine[] = []
  const events: EventLine[] = []
  for (const line of text.split('\n')) {
    if (line === '') continue
    const entry = JSON.parse(line) as RunLine | EventLine
    if ('event' in entry) events.push(entry)
    else runs.push(entry)
  }
  return { runs, events }
}
