/** What every scheduler that is measured here can be told to do. */

export type Period = 'second' | 'minute'

/** Whether a crash is noticed as soon as a scheduler's own defaults have it, or as soon as it sensibly can. */
export type Pace = 'defaults' | 'quick'

/** A job begins; when it should have is said in milliseconds since 1970. */
export type Fired = (job: string, scheduled: number) => void

/** What a job does that another process has to do again. */
type Body = () => Promise<void>

export interface Contender {
  /** Schedules so many jobs in this process that do nothing, all of them each second or minute. */
  every(period: Period, count: number, fired: Fired): Promise<void>
  /** Schedules so many jobs in this process that fire when nobody measures any more. */
  hold(count: number): Promise<void>
  /** Is ready to run a job of this name; what is given back makes it run once, in one process. */
  join(name: string, body: Body): Promise<() => Promise<unknown>>
}

/** Connects; the pace is for `join`. */
export type Open = (url: string, pace: Pace) => Promise<Contender>

export function jobNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `job-${index}`)
}
