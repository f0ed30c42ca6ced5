import type { Exploration } from './explore.ts'
import type { Scenario } from './scenarios.ts'

/** One line for a scenario that holds; the shortest path to what does not. */
export function describe({ name }: Scenario, found: Exploration, milliseconds: number): string {
  const { states, steps, interleavings, convergences, walked, depth, isComplete, finding } = found
  const rate = Math.round((steps + walked) / (milliseconds / 1000))
  const orders = interleavings < 1e6 ? String(interleavings) : interleavings.toExponential(1)
  const reach = isComplete
    ? `all within ${depth} steps`
    : `cut off at ${depth} steps, ${walked} more in walks`
  const counts =
    `${states} states, ${steps} steps, ${orders} interleavings, ${convergences} convergences; ` +
    `${reach}; ${rate} steps a second of a core`
  if (finding === undefined) return `${name}: ${counts}`
  const path = finding.path.map((step, index) => `  ${index + 1}. ${step}`)
  if (finding.after.length > 0) path.push('  then, everybody seeing everything:')
  path.push(...finding.after.map((step) => `    - ${step}`))
  return [`${name}: VIOLATION: ${finding.rule}`, ...path, `  (${counts})`].join('\n')
}
