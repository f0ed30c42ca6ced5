/**
 * - `starting`: the watch on the job is being set.
 * - `setting up`: the job is being created, or compared with the one that exists.
 * - `joining`: this instance is about to register, for the first time or again.
 * - `registered`: it takes part.
 * - `withdrawn`: it has left because the clock of this machine is wrong, and comes back when the clock is right.
 * - `stopping`: it has been asked to leave; its runs may still go on.
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
  /** The session has expired, or the node of this instance is gone although nobody asked it to leave. */
  | 'node lost'
  | 'clock refused'
  | 'clock right'
  | 'stop requested'
  | 'runs ended'

/** The phase that follows on each phase in which an event has a meaning. */
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

/** How far this instance is with its membership in a job. */
export class MembershipPhase {
  #current: Phase = 'starting'

  get current(): Phase {
    return this.#current
  }

  /** Whether the node of this instance may exist. */
  get mayHaveNode(): boolean {
    return ['joining', 'registered', 'withdrawn'].includes(this.#current)
  }

  /** Goes on to the next phase; says whether the event has a meaning in the current one. */
  after(event: MembershipEvent): boolean {
    const next = transitions[event][this.#current]
    if (next === undefined) return false
    this.#current = next
    return true
  }
}
