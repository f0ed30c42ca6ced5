/**
 * All interleavings of a scenario up to a bound, breadth first: what is found first is as short as can be.
 * Clusters that are equal are explored once. Where the bound cuts something off, walks by chance go further.
 */
import { type Cluster, hashOf } from './cluster.ts'
import { checkConvergence, convergenceKey } from './converge.ts'
import { Violation } from './invariants.ts'
import { type Rules, stepsOf } from './steps.ts'
import { forgetTrees } from './tree.ts'
import { walk } from './walk.ts'

export interface Bounds {
  /** How many steps a path has at most, and how many clusters are looked at. */
  readonly depth: number
  readonly states: number
  /** How many walks by chance go beyond what is explored as a whole. */
  readonly walks: number
}

export interface Exploration {
  readonly states: number
  readonly steps: number
  /** How many different orders of steps lead from the beginning to the clusters that were found. */
  readonly interleavings: number
  readonly convergences: number
  /** The steps of walks. */
  readonly walked: number
  readonly depth: number
  /** Whether everything within the depth was explored. */
  readonly isComplete: boolean
  readonly finding: Finding | undefined
}

export interface Finding {
  readonly rule: string
  /** The steps to it, as few as can be; then those of instances that see everything. */
  readonly path: readonly string[]
  readonly after: readonly string[]
}

interface Found {
  readonly what: string
  readonly from: Found | undefined
}

interface Open {
  readonly cluster: Cluster
  readonly found: Found | undefined
  paths: number
}

export function explore(start: Cluster, rules: Rules, bounds: Bounds): Exploration {
  forgetTrees()
  const found = new Explorer(rules, bounds).run(start)
  if (found.finding !== undefined || (found.isComplete && found.depth < bounds.depth)) return found
  const walked = walk(start, rules, bounds.walks, bounds.depth)
  return { ...found, walked: walked.steps, finding: walked.finding }
}

class Explorer {
  readonly #rules: Rules
  readonly #bounds: Bounds
  readonly #known = new Set<number>()
  readonly #converged = new Set<string>()
  #steps = 0
  #interleavings = 0
  #depth = 0
  #isComplete = true

  constructor(rules: Rules, bounds: Bounds) {
    this.#rules = rules
    this.#bounds = bounds
  }

  run(start: Cluster): Exploration {
    let level = new Map<number, Open>([
      [hashOf(start), { cluster: start, found: undefined, paths: 1 }],
    ])
    this.#known.add(hashOf(start))
    for (; level.size > 0 && this.#depth < this.#bounds.depth; this.#depth++) {
      const deeper = new Map<number, Open>()
      for (const open of level.values()) {
        if (this.#known.size >= this.#bounds.states) {
          this.#isComplete = false
          return this.#result(undefined)
        }
        const finding = this.#expand(open, deeper)
        if (finding !== undefined) return this.#result(finding)
      }
      level = deeper
    }
    return this.#result(undefined)
  }

  #expand({ cluster, found, paths }: Open, deeper: Map<number, Open>): Finding | undefined {
    try {
      this.#converge(cluster)
      for (const step of stepsOf(cluster, this.#rules)) {
        this.#steps += 1
        this.#interleavings += paths
        const key = hashOf(step.next)
        const same = deeper.get(key)
        if (same !== undefined) same.paths += paths
        if (this.#known.has(key)) continue
        this.#known.add(key)
        deeper.set(key, { cluster: step.next, found: { what: step.what, from: found }, paths })
      }
      return undefined
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      return { rule: error.message, path: pathTo(found), after: error.after }
    }
  }

  #converge(cluster: Cluster): void {
    const key = convergenceKey(cluster)
    if (this.#converged.has(key)) return
    this.#converged.add(key)
    checkConvergence(cluster, this.#rules)
  }

  #result(finding: Finding | undefined): Exploration {
    return {
      states: this.#known.size,
      steps: this.#steps,
      interleavings: this.#interleavings,
      convergences: this.#converged.size,
      walked: 0,
      depth: this.#depth,
      isComplete: this.#isComplete,
      finding,
    }
  }
}

function pathTo(found: Found | undefined): string[] {
  const path: string[] = []
  for (let step = found; step !== undefined; step = step.from) path.push(step.what)
  return path.toReversed()
}
