import type { Stat } from '@elasticjob/zookeeper'
import type { Model, ModelNode } from './model.ts'
import type { ObservedNode } from './observe.ts'
import { stepsOf } from './operation.ts'
import type { Asked } from './writer.ts'

/** How the state of a server follows from the requests that it received. */
export interface Explanation {
  readonly model: Model
  /** The number of answered operations. */
  readonly acknowledged: number
  /** The number of further operations that were executed although their answer was lost. */
  readonly unanswered: number
}

/**
 * Explains a state: all answered operations and, in the order of the requests, a prefix of the unanswered ones.
 * Throws if no prefix explains it: a write was lost or invented.
 */
export function explain(
  settled: Model,
  asked: readonly Asked[],
  observed: ReadonlyMap<string, ObservedNode>,
  sessionId: bigint,
): Explanation {
  const acknowledged = countAnswered(asked)
  const model = settled.copy()
  for (const { operation } of asked.slice(0, acknowledged)) model.apply(operation)
  const differences: string[] = []
  for (let count = acknowledged; count <= asked.length; count++) {
    const difference = findDifference(model, observed, sessionId)
    if (difference === undefined) {
      requireStats(asked.slice(0, count), observed)
      return { model, acknowledged, unanswered: count - acknowledged }
    }
    differences.push(difference)
    const next = asked[count]
    if (next !== undefined) model.apply(next.operation)
  }
  throw new Error(
    `after ${acknowledged} answered operations and any of ${asked.length - acknowledged} unanswered ` +
      `ones: ${[...new Set(differences)].join('; ')}`,
  )
}

/** Answers arrive in order, and each has to be correct. */
function countAnswered(asked: readonly Asked[]): number {
  const firstUnanswered = asked.findIndex(({ answer }) => answer === undefined)
  const count = firstUnanswered === -1 ? asked.length : firstUnanswered
  for (const [index, { operation, expected, answer }] of asked.entries()) {
    if (answer === undefined) continue
    if (index >= count) throw new Error('a later request was answered before an earlier one')
    const [got, wanted] = [JSON.stringify(answer.outcome), JSON.stringify(expected)]
    if (got === wanted) continue
    throw new Error(`${JSON.stringify(operation)} was answered ${got} instead of ${wanted}`)
  }
  return count
}

/** The differences between the expected and the actual state. */
function findDifference(
  model: Model,
  observed: ReadonlyMap<string, ObservedNode>,
  sessionId: bigint,
): string | undefined {
  for (const [path, node] of model.nodes) {
    const found = observed.get(path)
    if (found === undefined) return `${path} is missing`
    const [is, should] = [describeObserved(found), describeModel(node, sessionId)]
    if (is !== should) return `${path} is ${is} instead of ${should}`
  }
  for (const path of observed.keys()) if (!model.nodes.has(path)) return `${path} is unexpected`
  return undefined
}

function describeModel(node: ModelNode, sessionId: bigint): string {
  const { data, version, creations, children, isEphemeral } = node
  const cversion = creations * 2 - children
  return describe(data, version, cversion, children, isEphemeral ? sessionId : 0n)
}

function describeObserved({ data, stat }: ObservedNode): string {
  return describe(data, stat.version, stat.cversion, stat.numChildren, stat.ephemeralOwner)
}

function describe(
  data: string,
  version: number,
  cversion: number,
  children: number,
  owner: bigint,
): string {
  const content = data.length > 40 ? `${data.slice(0, 10)}… of ${data.length}` : data
  return `'${content}' v${version} c${cversion} with ${children} children of 0x${owner.toString(16)}`
}

/** The reported stat of a node still holds, unless the node was changed since. */
function requireStats(
  carriedOut: readonly Asked[],
  observed: ReadonlyMap<string, ObservedNode>,
): void {
  const told = new Map<string, Stat>()
  for (const { operation, expected, answer } of carriedOut) {
    if ('error' in expected) continue
    for (const [index, { kind, path }] of stepsOf(operation).entries()) {
      if (kind === 'check') continue
      const result = expected.results[index]
      const changed = typeof result === 'string' ? result : path
      const stat = answer?.stats[index]
      if (stat === undefined) told.delete(changed)
      else told.set(changed, stat)
    }
  }
  for (const [path, { czxid, mzxid, ctime, mtime }] of told) {
    const stat = observed.get(path)?.stat
    if (stat?.czxid === czxid && stat.mzxid === mzxid) {
      if (stat.ctime === ctime && stat.mtime === mtime) continue
    }
    throw new Error(`${path} does not have the zxids and times that the server reported`)
  }
}
