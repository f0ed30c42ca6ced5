/** Rounds: requests to run items now, one at a time and one waiting. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import type { RunOutcome } from '../events.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { isDead, isMixed, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { encodeJobWord, type JobWord, noJobWord, type Round } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'
import { ElasticJobError } from '../errors.ts'
import { ownerOf } from '../sharding/needs.ts'
import { isTarget } from '../execution/due.ts'

export type RoundRequest = Pick<Round, 'parameter' | 'instances' | 'items'>

/** The items whose last run has not done its work, and which nobody will run again by himself. */
export function failedItems(
  view: JobView,
  words: ReadonlyMap<number, Versioned<ItemWord>>,
  failover: boolean,
): number[] {
  const failed = [...words].filter(([, { value }]) => {
    if (value.state === 'abandoned') return true
    if (value.state === 'idle') return value.outcome !== undefined && isFailed.has(value.outcome)
    return !failover && (value.state === 'crashed' || isDead(view, value.instance))
  })
  return failed.map(([item]) => item).toSorted((a, b) => a - b)
}

const isFailed: ReadonlySet<RunOutcome> = new Set(['failure', 'aborted', 'stopped'])

export interface RoundPlan {
  readonly round: Round
  readonly operations: readonly TransactionPart[]
}

/**
 * Asks for a round. While one runs the next one waits for it; a third that asks for the same as the
 * waiting one is the same, any other has to come later.
 */
export function planRound(
  view: JobView,
  me: Pick<Member, 'paths' | 'make'>,
  request: RoundRequest,
  now: number,
): RoundPlan {
  const targets = [...view.instances].filter(
    (instance) => request.instances?.includes(instance) ?? true,
  )
  if (view.word === undefined || targets.length === 0) {
    throw new ElasticJobError(
      'JOB_NO_INSTANCE',
      request.instances === undefined
        ? `job ${view.jobName} has no instance that could run it; start one, then trigger it again`
        : `none of the instances named takes part in job ${view.jobName}: ${request.instances.join(', ')}`,
    )
  }
  const { value, version } = view.word
  const { pending } = value
  if (pending !== undefined) {
    if (isSameRequest(pending, request)) return { round: pending, operations: [] }
    throw new ElasticJobError(
      'JOB_TRIGGER_PENDING',
      `job ${view.jobName} runs round ${value.running?.id ?? 0} and round ${pending.id} waits for it ` +
        `with other parameters; trigger it again when that one has begun`,
    )
  }
  const round: Round = { id: value.lastRound + 1, asked: now, ...request }
  const place = value.running === undefined ? { running: round } : { pending: round }
  const word: JobWord = { ...value, lastRound: round.id, ...place }
  return {
    round,
    operations: [
      part.set(me.paths.word, encodeJobWord(word), version),
      ...javaTriggers(view, me, request),
    ],
  }
}

function isSameRequest(round: Round, request: RoundRequest): boolean {
  const key = ({ parameter, instances, items }: RoundRequest): string =>
    JSON.stringify([parameter ?? null, instances ?? null, items ?? null])
  return key(round) === key(request)
}

/**
 * For Java the node is the trigger: it runs all that it owns, with the job's own parameter. One that asks
 * for something else is not for Java.
 */
function javaTriggers(
  view: JobView,
  me: Pick<Member, 'paths' | 'make'>,
  { instances, items, parameter }: RoundRequest,
): TransactionPart[] {
  if (items !== undefined || parameter !== undefined) return []
  const java = [...view.instances].filter(
    (instance) => isJavaInstance(instance) && (instances?.includes(instance) ?? true),
  )
  const missing = java.filter((instance) => !view.triggers.has(instance))
  if (missing.length === 0) return []
  const folder = view.folders.has('trigger') ? [] : [me.make.persistent(me.paths.triggers)]
  return [...folder, ...missing.map((instance) => me.make.persistent(me.paths.trigger(instance)))]
}

/** Those of Java's that come within this time of each other are one request. */
const together = 1000

export type ConversionDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly until: number }
  | {
      readonly do: 'convert'
      readonly operations: readonly TransactionPart[]
      readonly round: Round
    }

/**
 * Triggers that Java's tools have left for instances of ours become one round of those instances, by
 * whoever of ours comes first. `firstSeen`: when this instance saw the first of them.
 */
export function planConversion(
  view: JobView,
  me: Member,
  now: number,
  firstSeen: number,
): ConversionDecision {
  const ours = [...view.triggers.keys()].filter((instance) => !isJavaInstance(instance))
  const living = ours.filter((instance) => view.instances.has(instance))
  if (living.length === 0 || view.word === undefined) return { do: 'nothing' }
  const everybody = [...view.instances].every(
    (instance) => isJavaInstance(instance) || view.triggers.has(instance),
  )
  if (!everybody && now < firstSeen + together) return { do: 'wait', until: firstSeen + together }
  const { value, version } = view.word
  // One that waits reaches them, too, if it asks for no less; else its turn has to come first.
  if (value.pending !== undefined && !reaches(value.pending, living)) return { do: 'nothing' }
  const round: Round = value.pending ?? {
    id: value.lastRound + 1,
    asked: now,
    ...(everybody ? {} : { instances: living.toSorted() }),
  }
  const place = value.running === undefined ? { running: round } : { pending: round }
  const word: JobWord = { ...value, lastRound: Math.max(value.lastRound, round.id), ...place }
  return {
    do: 'convert',
    round,
    operations: [
      part.set(me.paths.word, encodeJobWord(word), version),
      ...ours.map((instance) => part.delete(me.paths.trigger(instance))),
    ],
  }
}

/**
 * Wishes to instances of ours that are gone. In a mixed job nobody else takes them away: Java does not, and
 * what a leader of ours mends waits until no Java is about.
 */
export function forgottenTriggers(view: JobView): string[] {
  if (!isMixed(view)) return []
  return [...view.triggers.keys()].filter(
    (instance) => !isJavaInstance(instance) && isDead(view, instance),
  )
}

/** Whether a round is all that a trigger of Java's tools asks of some instances: all items, no parameter. */
function reaches({ parameter, items, instances }: Round, wanted: readonly string[]): boolean {
  if (parameter !== undefined || items !== undefined) return false
  return instances === undefined || wanted.every((instance) => instances.includes(instance))
}

/** The items that a round has to reach before it is complete. */
export function itemsOfRound(view: JobView, round: Round, total: number): number[] {
  const items: number[] = []
  for (let item = 0; item < total; item++) {
    const owner = ownerOf(view, item)
    if (view.items.get(item)?.disabled === true) continue
    if (owner === undefined) {
      if (round.instances === undefined && isTarget(round, item, '')) items.push(item)
      continue
    }
    // Java runs its own by its own triggers, and says nothing of rounds.
    if (isJavaInstance(owner)) continue
    if (!isTarget(round, item, owner)) continue
    items.push(item)
  }
  return items
}

/** Whether every item of the round has run in it. */
export function isComplete(
  view: JobView,
  round: Round,
  items: readonly number[],
  words: ReadonlyMap<number, Versioned<ItemWord>>,
  failover: boolean,
): boolean {
  return items.every((item) => {
    const word = words.get(item)?.value
    if (word === undefined || word.round < round.id) return false
    if (word.state === 'idle' || word.state === 'abandoned') return true
    // What a dead instance left is taken over, or nobody's: then there is nothing to wait for.
    return !failover && (word.state === 'crashed' || isDead(view, word.instance))
  })
}

/** The round is over: the one that waited begins. */
export function planAdvance(view: JobView, me: Member): TransactionPart[] {
  if (view.word?.value.running === undefined) return []
  const { running, pending, ...rest } = view.word.value
  const word: JobWord = {
    ...noJobWord,
    ...rest,
    previous: running,
    ...(pending === undefined ? {} : { running: pending }),
  }
  return [part.set(me.paths.word, encodeJobWord(word), view.word.version)]
}

/** The instances of a server, for a trigger of that server alone. */
export function instancesOf(view: JobView, ip: string): string[] {
  return [...view.instances].filter((instance) => serverOf(instance) === ip).toSorted()
}
