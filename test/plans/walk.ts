/**
 * Walks by chance, from a seed, far beyond the depth that can be explored as a whole. What one finds is made
 * smaller: every step goes that is not needed for a finding.
 */
import type { Cluster } from './cluster.ts'
import { checkConvergence } from './converge.ts'
import type { Finding } from './explore.ts'
import { Violation } from './invariants.ts'
import { type Rules, type Step, stepsOf } from './steps.ts'

export interface Walks {
  readonly steps: number
  readonly finding: Finding | undefined
}

export function walk(start: Cluster, rules: Rules, count: number, depth: number): Walks {
  let steps = 0
  for (let seed = 1; seed <= count; seed++) {
    const random = fractions(seed)
    const taken: string[] = []
    const finding = follow(start, rules, (options) => {
      if (taken.length === depth || options.length === 0) return undefined
      const step = options[Math.floor(random() * options.length)] as Step
      taken.push(step.what)
      return step
    })
    steps += taken.length
    if (finding !== undefined) return { steps, finding: shrink(start, rules, finding) }
  }
  return { steps, finding: undefined }
}

/** Goes on as `choose` says, then lets the cluster come to rest. */
function follow(
  start: Cluster,
  rules: Rules,
  choose: (options: readonly Step[]) => Step | undefined,
): Finding | undefined {
  const path: string[] = []
  let cluster = start
  try {
    for (;;) {
      const step = choose([...stepsOf(cluster, rules)])
      if (step === undefined) break
      path.push(step.what)
      cluster = step.next
    }
    checkConvergence(cluster, rules)
    return undefined
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    return { rule: error.message, path, after: error.after }
  }
}

function shrink(start: Cluster, rules: Rules, found: Finding): Finding {
  let best = found
  for (let index = best.path.length - 1; index >= 0; index--) {
    const shorter = replay(start, rules, best.path.toSpliced(index, 1))
    if (shorter === undefined) continue
    best = shorter
    index = Math.min(index, best.path.length)
  }
  return best
}

/** The finding at the end of these steps; undefined if there is none, or if one of them is not possible. */
function replay(start: Cluster, rules: Rules, path: readonly string[]): Finding | undefined {
  let isPossible = true
  let index = 0
  const finding = follow(start, rules, (options) => {
    const what = path[index]
    index += 1
    if (what === undefined) return undefined
    const step = options.find((one) => one.what === what)
    if (step === undefined) isPossible = false
    return step
  })
  return isPossible ? finding : undefined
}

/** Numbers from 0 to 1 that look like chance, the same for every run. */
function fractions(seed: number): () => number {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
