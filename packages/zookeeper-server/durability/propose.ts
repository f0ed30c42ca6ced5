import type { SeededRandom } from '@elasticjob/zookeeper/testing'
import type { Model } from './model.ts'
import type { Operation, Step } from './operation.ts'

/** With more nodes than this, deletes are more likely than creates. */
const comfortable = 150

/** Proposes the next operation of a writer: most are valid, some are refused. */
export function propose(chance: SeededRandom, model: Model, root: string): Operation {
  if (!chance.happens(0.12)) return proposeStep(chance, model, root)
  // Earlier steps can make later ones invalid: then the whole transaction is refused.
  const steps: Step[] = Array.from({ length: 1 + chance.below(4) }, () =>
    proposeStep(chance, model, root),
  )
  if (chance.happens(0.5)) steps.unshift({ kind: 'check', ...someNode(chance, model) })
  return { kind: 'multi', steps }
}

function proposeStep(
  chance: SeededRandom,
  model: Model,
  root: string,
): Exclude<Step, { kind: 'check' }> {
  const isFull = model.nodes.size > comfortable
  const dice = chance.fraction()
  if (dice < (isFull ? 0.1 : 0.4)) {
    const isSequential = chance.happens(0.4)
    return {
      kind: 'create',
      path: somePlace(chance, model, root, isSequential),
      data: someData(chance),
      isEphemeral: chance.happens(0.15),
      isSequential,
    }
  }
  if (dice < 0.75) return { kind: 'set', ...someNode(chance, model), data: someData(chance) }
  return { kind: 'delete', ...someNode(chance, model) }
}

/** A path to create: at the root or below an existing node, new or already taken. */
function somePlace(
  chance: SeededRandom,
  model: Model,
  root: string,
  isSequential: boolean,
): string {
  const parents = [...model.nodes.keys()].filter((path) => path.split('/').length < 5)
  const parent = chance.happens(0.5) ? root : chance.pick(parents)
  return isSequential ? `${parent}/s-` : `${parent}/n${chance.below(20)}`
}

/** A node and a version for it: any, the current one, or a wrong one. */
function someNode(chance: SeededRandom, model: Model): { path: string; version: number } {
  const path = chance.pick([...model.nodes.keys()].slice(1).concat('/nowhere'))
  const { version } = model.nodes.get(path) ?? { version: 0 }
  const dice = chance.fraction()
  if (dice < 0.5) return { path, version: -1 }
  return { path, version: dice < 0.9 ? version : version + 1 }
}

/** Mostly short; occasionally so long that the write takes a while. */
function someData(chance: SeededRandom): string {
  const text = String(chance.below(1_000_000))
  return chance.happens(0.01) ? text.repeat(1 + chance.below(10_000)) : text
}
