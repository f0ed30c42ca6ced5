/** All that all instances have written down, in the order in which it came. */
import { EventEmitter } from 'node:events'
import type { Due, Kind, RoundCall, Run } from './run.ts'

interface BeginLine extends Pick<
  Run,
  'run' | 'job' | 'shard' | 'instance' | 'fire' | 'source' | 'parameter'
> {
  readonly event: 'begin'
  readonly at: number
}

interface EndLine {
  readonly event: 'end'
  readonly run: string
  readonly outcome: string
  readonly at: number
}

interface RoundLine {
  readonly event: 'round'
  readonly job: string
  readonly phase: string
  readonly at: number
}

/** An event of an instance of ours, or what the Java worker has found out about its own. */
export interface ToldLine {
  readonly event: 'told'
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly at: number
}

/** Scheduled times that a Java instance has left out. */
interface LeftOut {
  readonly from: number
  readonly to: number
  /** What it owned, and since when. */
  readonly shards: Readonly<Record<number, number>>
}

export type JournalLine = BeginLine | EndLine | RoundLine | ToldLine

interface Writer {
  readonly name: string
  readonly kind: Kind
}

/** Longer than this nobody waits; a small machine under load is slow, and no test is about that. */
const timeout = 90_000

export class Journal extends EventEmitter<{ written: [] }> {
  readonly #runs: Run[] = []
  readonly #rounds: RoundCall[] = []
  readonly #told: (ToldLine & { readonly peer: string })[] = []

  constructor() {
    super()
    this.setMaxListeners(0)
  }

  write({ name: peer, kind }: Writer, line: JournalLine): void {
    switch (line.event) {
      case 'begin': {
        const { event: _, at, ...run } = line
        this.#runs.push({ ...run, peer, kind, begin: at, end: undefined, outcome: undefined })
        break
      }
      case 'end':
        this.#end(line, peer)
        break
      case 'round':
        this.#rounds.push({ job: line.job, phase: line.phase, at: line.at, kind })
        break
      case 'told':
        this.#told.push({ ...line, peer })
        break
    }
    this.emit('written')
  }

  #end({ run, outcome, at }: EndLine, peer: string): void {
    const index = this.#runs.findLastIndex((begun) => begun.run === run && begun.peer === peer)
    const begun = this.#runs[index]
    if (begun !== undefined) this.#runs[index] = { ...begun, end: at, outcome }
  }

  runsOf(jobName: string): readonly Run[] {
    return this.#runs.filter(({ job }) => job === jobName)
  }

  roundsOf(jobName: string): readonly RoundCall[] {
    return this.#rounds.filter(({ job }) => job === jobName)
  }

  /** What instances of ours have told about the job. */
  toldOf(jobName: string): readonly (ToldLine & { readonly peer: string })[] {
    return this.#told.filter(({ payload }) => payload['jobName'] === jobName)
  }

  /**
   * Why a Java instance has left this time out, in its own words, if it was the one that owned the shard then:
   * - `java:misfired`: the only thread of its Quartz was busy, or its connection was gone
   * - `java:asked-old-copy`: it asked a copy of the registry that was older than the registry's word
   * - `java:shut-down`: it was shut down before its thread had come to that time
   * - `java:scheduled`: it was registered already, so that shards were its own, and had no schedule yet
   */
  javaLeftOut(jobName: string, due: Due): string | undefined {
    const told = this.toldOf(jobName).find(({ name, payload, peer }) => {
      if (!name.startsWith('java:')) return false
      const { from, to, shards } = payload as unknown as LeftOut
      if (due.fire < from || due.fire > to) return false
      return name === 'java:scheduled'
        ? this.#nextRun(jobName, due)?.peer === peer
        : (shards[due.shard] ?? Infinity) <= due.fire
    })
    return told?.name
  }

  #nextRun(jobName: string, { shard, fire }: Due): Run | undefined {
    return this.runsOf(jobName).find((run) => run.shard === shard && run.fire > fire)
  }

  /** Resolves as soon as the question has an answer; it is asked again whenever somebody writes. */
  until<T>(what: string, ask: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const answer = ask()
        if (answer === undefined || answer === false) return
        clearTimeout(timer)
        this.off('written', look)
        resolve(answer)
      }
      const timer = setTimeout(() => {
        this.off('written', look)
        reject(new Error(`${what}: not within ${timeout} ms`))
      }, timeout)
      this.on('written', look)
      look()
    })
  }

  /** The whole story of a job, for whoever has to find out what went wrong. */
  storyOf(jobName: string): string {
    const lines = [
      ...this.runsOf(jobName).flatMap(
        ({ peer, shard: item, source, fire, begin, end, outcome }) => [
          { at: begin, text: `${peer} begins ${item} (${source} ${clockOf(fire)})` },
          ...(end === undefined ? [] : [{ at: end, text: `${peer} ends ${item}: ${outcome}` }]),
        ],
      ),
      ...this.toldOf(jobName).map(({ at, peer, name, payload }) => ({
        at,
        text: `${peer} tells ${name} ${JSON.stringify({ ...payload, jobName: undefined })}`,
      })),
      ...this.roundsOf(jobName).map(({ at, kind, phase }) => ({ at, text: `${kind}: ${phase}` })),
    ]
    return lines
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, text }) => `${clockOf(at)} ${text}`)
      .join('\n')
  }
}

function clockOf(time: number): string {
  return new Date(time).toISOString().slice(11, 23)
}
