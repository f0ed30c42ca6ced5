/**
 * The job's word: what all instances have to know of a job and Java has no node for. One node, so that
 * one watch tells of any change and one version makes any two changes exclusive.
 */

/** One request to run items now. */
export interface Round {
  /** Grows with every round of the job. */
  readonly id: number
  /** When it was asked for, in registry time. */
  readonly asked: number
  /** Takes the place of `jobParameter` for this round. */
  readonly parameter?: string
  /** The instances whose items are to run; all when absent. */
  readonly instances?: readonly string[]
  /** The items to run; all when absent. */
  readonly items?: readonly number[]
}

interface Schedule {
  /** The cron expression and zone that it speaks of. */
  readonly digest: string
  /** Nothing that was scheduled until then is due. */
  readonly since: number
}

export interface JobWord {
  readonly schedule?: Schedule
  /** The id of the last round that was asked for. */
  readonly lastRound: number
  readonly running?: Round
  readonly pending?: Round
  /** The last round that is over. */
  readonly previous?: Round
  /** Cron fires of the whole job are off. */
  readonly paused?: boolean
  /** Cron fires are off on these servers. */
  readonly pausedServers?: readonly string[]
  /** When a pause of the whole job was last lifted. */
  readonly resumed?: number
  /** When the pause of a server was last lifted, by its address. */
  readonly resumedServers?: Readonly<Record<string, number>>
  /** Runs that an operator wants to end: their ids, by item. */
  readonly stops?: Readonly<Record<string, string>>
  /** Instances that an operator has asked to leave the job; they stay listed until their server takes part again. */
  readonly shutdown?: readonly string[]
  /** Since when enabled servers have had no instance, by their address: they are forgotten in the end. */
  readonly emptyServers?: Readonly<Record<string, number>>
  /** The job is being removed: nobody may register or claim. */
  readonly removing?: boolean
}

export const noJobWord: JobWord = Object.freeze({ lastRound: 0 })

export function encodeJobWord(word: JobWord): string {
  return JSON.stringify(word)
}

export function decodeJobWord(text: string): JobWord {
  if (text === '') return noJobWord
  const value: unknown = JSON.parse(text)
  return { ...noJobWord, ...(value as Partial<JobWord>) }
}

/** Whether cron fires are off on a server. */
export function isPaused(word: JobWord, ip: string): boolean {
  return word.paused === true || word.pausedServers?.includes(ip) === true
}

/** When a pause that held on a server was last lifted; 0 if none ever was. */
export function resumedOn(word: JobWord, ip: string): number {
  return Math.max(word.resumed ?? 0, word.resumedServers?.[ip] ?? 0)
}
