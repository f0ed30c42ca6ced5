/** All that must not be, from all that is known of a chaos run. */
import { type Account, accountOf, type AccountOptions } from './accounted.ts'
import type { LoggedLife } from './crew.ts'
import { exclusiveViolations, type ExclusiveOptions } from './exclusive.ts'
import { type Facts, shardKey, type Violation } from './facts.ts'
import { forbiddenViolations, type ForbiddenOptions } from './forbidden.ts'
import { leftovers } from './leftovers.ts'
import { offsetViolations } from './offsets.ts'
import { onceViolations } from './once.ts'
import type { TreeNode } from './tree.ts'
import type { Span } from './wire-log.ts'

/** What a chaos run has left to be judged. */
export interface Evidence extends AccountOptions, ExclusiveOptions, ForbiddenOptions {
  readonly facts: Facts
  readonly lives: readonly Pick<LoggedLife, 'ended'>[]
  /** Whether what crashed is taken over, by job. */
  readonly failover: ReadonlyMap<string, boolean>
  /** The tree while all workers took part, and when it was read. */
  readonly tree: ReadonlyMap<string, TreeNode>
  readonly read: Span
  /** The tree when everybody had left. */
  readonly left: ReadonlyMap<string, TreeNode>
  /** Processes that ended without being made to. */
  readonly lost: readonly string[]
}

export interface Verdict {
  readonly account: Account
  readonly violations: readonly Violation[]
}

/** A shard whose code ended so shortly before, or began so shortly after, may have its marks. */
const markTime = 1500

export function verdictOn(evidence: Evidence): Verdict {
  const { facts, lives, failover, tree, read, left, lost } = evidence
  const account = accountOf(facts, evidence)
  return {
    account,
    violations: [
      ...exclusiveViolations(facts, evidence),
      ...onceViolations(facts, evidence.losses),
      ...offsetViolations(facts, evidence.losses),
      ...forbiddenViolations(facts, evidence),
      ...account.violations,
      ...leftovers({
        tree: new Map([...tree].map(([path, { data }]) => [path, data])),
        living: livingAt(facts, lives, read[1]),
        busy: busyAt(facts, read),
        failover,
      }),
      ...leftByNobody(left),
      ...lost.map((text) => ({ rule: 'lost', text })),
      ...troubles(facts),
    ],
  }
}

/** The ids under which those take part who live at this moment. */
function livingAt({ events }: Facts, lives: Evidence['lives'], moment: number): Set<string> {
  const ids = new Map<number, string>()
  for (const { at, event, payload, process } of events) {
    const isOver = (lives[process]?.ended ?? Infinity) <= moment
    if (event === 'job:registered' && at <= moment && !isOver) {
      ids.set(process, String(payload['instance']))
    }
  }
  return new Set(ids.values())
}

function busyAt({ runs }: Facts, [from, to]: Span): Set<string> {
  return new Set(
    runs.filter(({ begin, end }) => begin - markTime <= to && end + markTime >= from).map(shardKey),
  )
}

/** When everybody has left, nobody's session has a node. */
function leftByNobody(tree: ReadonlyMap<string, TreeNode>): Violation[] {
  return [...tree]
    .filter(([, { isEphemeral }]) => isEphemeral)
    .map(([path]) => ({ rule: 'left behind', text: `${path} is there when everybody has left` }))
}

/** What is never to be told, whatever happens to servers and processes. */
function troubles({ events }: Facts): Violation[] {
  return events
    .filter(({ event }) => event === 'error:unhandled' || event === 'sharding:failed')
    .map(({ event, payload }) => ({ rule: event, text: JSON.stringify(payload) }))
}
