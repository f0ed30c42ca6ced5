/**
 * - `starting`: the watch on the job is being set.
 * - `setting up`: the job is being created, or compared with the existing one.
 * - `joining`: this instance is about to register, for the first time or again.
 * - `registered`: this instance takes part.
 * - `withdrawn`: this instance has left because the clock of this machine is wrong. It joins again when the clock is
 *   right.
 * - `stopping`: this instance was asked to leave; its runs may still continue.
 */
export type Phase =
  | 'starting'
  | 'setting up'
  | 'joining'
  | 'registered'
  | 'withdrawn'
  | 'stopping'
  | 'stopped'

export type MembershipEvent =
  | 'watched'
  | 'set up'
  | 'registered'
  /** The session has expired, or the node of this instance is missing although no operator shut it down. */
  | 'node lost'
  | 'clock refused'
  | 'clock right'
  | 'stop requested'
  | 'runs ended'

/** The next phase for each event, by the current phase. An event without an entry has no effect. */
const transitions: Readonly<Record<MembershipEvent, Partial<Record<Phase, Phase>>>> = {
  watched: { starting: 'setting up' },
  'set up': { 'setting up': 'joining' },
  registered: { joining: 'registered' },
  'node lost': { registered: 'joining' },
  'clock refused': { registered: 'withdrawn' },
  'clock right': { withdrawn: 'joining' },
  'stop requested': {
    starting: 'stopping',
    'setting up': 'stopping',
    joining: 'stopping',
    registered: 'stopping',
    withdrawn: 'stopping',
  },
  'runs ended': { stopping: 'stopped' },
}

/** The phase of this instance's membership in a job. */
export class MembershipPhase {
  #current: Phase = 'starting'

  get current(): Phase {
    return this.#current
  }

  /** Whether the node of this instance may exist. */
  get mayHaveNode(): boolean {
    return ['joining', 'registered', 'withdrawn'].includes(this.#current)
  }

  /** Applies an event; returns whether it has an effect in the current phase. */
  after(event: MembershipEvent): boolean {
    const next = transitions[event][this.#current]
    if (next === undefined) return false
    this.#current = next
    return true
  }
}
