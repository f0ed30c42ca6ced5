/** What is known of a chaos run, put in order: from the workers' logs, the wire, and who stopped whom. */
import type { LoggedLife } from './crew.ts'
import type { BeginLine, EventLine } from './log-line.ts'
import type { Span, WireLog, WrittenRun } from './wire-log.ts'

/** One run of one shard. Times are the machine's, except for `fireTime` and what was written. */
export interface Run extends Omit<BeginLine, 'kind' | 'token' | 'at'> {
  readonly token: bigint
  /** The process that ran it, by its place among all. */
  readonly process: number
  readonly begin: number
  /** When its code did some work. */
  readonly ticks: readonly number[]
  /** When its code was told to stop. */
  readonly aborted: number | undefined
  /** When its code ended, or was ended together with its process; Infinity if it never was. */
  readonly end: number
  /** When the session that claimed it was proven to live, as the wire shows. */
  readonly lease: readonly Span[]
  /** What its instance wrote about it. */
  readonly written: WrittenRun | undefined
  /** The offsets that it saved, in their order. */
  readonly saved: readonly SavedOffset[]
}

/** An offset that the registry has, and since when its run knows that. */
interface SavedOffset {
  readonly at: number
  readonly offset: number
}

export interface ToldEvent extends Omit<EventLine, 'kind'> {
  readonly process: number
}

export interface Facts {
  /** In the order in which they began. */
  readonly runs: readonly Run[]
  readonly events: readonly ToldEvent[]
  /** The manual runs that were accepted: the job, and the time that its runs carry. */
  readonly asked: readonly { readonly job: string; readonly fireTime: number }[]
  /** When each process could do nothing: it was stopped, or the machine had no time for it. */
  readonly still: readonly (readonly Span[])[]
}

export function factsOf(
  lives: readonly LoggedLife[],
  wire: Pick<WireLog, 'leasesOf' | 'run'>,
): Facts {
  return {
    runs: lives
      .flatMap((life, process) => runsOf(life, process, wire))
      .toSorted((a, b) => a.begin - b.begin),
    events: lives
      .flatMap(({ lines }, process) =>
        lines.filter((line) => line.kind === 'event').map((line) => ({ ...line, process })),
      )
      .toSorted((a, b) => a.at - b.at),
    asked: lives.flatMap(({ lines }) => lines.filter((line) => line.kind === 'asked')),
    still: lives.map(stillOf),
  }
}

function runsOf(
  { lines, ended }: LoggedLife,
  process: number,
  wire: Pick<WireLog, 'leasesOf' | 'run'>,
): Run[] {
  const ticks = new Map<string, number[]>()
  const aborts = new Map<string, number>()
  const ends = new Map<string, number>()
  const saved = new Map<string, SavedOffset[]>()
  for (const line of lines) {
    if (line.kind === 'tick') ticks.set(line.run, [...(ticks.get(line.run) ?? []), line.at])
    if (line.kind === 'abort') aborts.set(line.run, line.at)
    if (line.kind === 'end') ends.set(line.run, line.at)
    if (line.kind === 'saved') {
      const { run, at, offset } = line
      saved.set(run, [...(saved.get(run) ?? []), { at, offset }])
    }
  }
  return lines
    .filter((line) => line.kind === 'begin')
    .map((line) => {
      const { kind: _, at: begin, token, ...started } = line
      return {
        ...started,
        token: BigInt(token),
        process,
        begin,
        ticks: ticks.get(line.run) ?? [],
        aborted: aborts.get(line.run),
        end: ends.get(line.run) ?? ended ?? Infinity,
        lease: wire.leasesOf(line.instance),
        written: wire.run(line.run),
        saved: saved.get(line.run) ?? [],
      }
    })
}

function stillOf({ lines, frozen }: LoggedLife): Span[] {
  const stalls = lines
    .filter((line) => line.kind === 'stall')
    .map(({ at, late }): Span => [at - late, at])
  return [...frozen, ...stalls].toSorted((a, b) => a[0] - b[0])
}

/** Something that must not be. */
export interface Violation {
  readonly rule: string
  readonly text: string
}

export function byShard(runs: readonly Run[]): Map<string, Run[]> {
  const shards = new Map<string, Run[]>()
  for (const run of runs) {
    const key = shardKey(run)
    const list = shards.get(key)
    if (list === undefined) shards.set(key, [run])
    else list.push(run)
  }
  return shards
}

export function shardKey({ job, shard }: { readonly job: string; readonly shard: number }): string {
  return `${job}/${shard}`
}

export function nameOf({ job, shard, run, fireTime, attempt, process, begin }: Run): string {
  return (
    `run ${run} of ${job}/${shard} (T ${fireTime}, attempt ${attempt}, process ${process + 1}, ` +
    `begun at ${begin.toFixed(0)})`
  )
}
