/** Reads of many nodes in few requests. */
import { type NodeContent, read, type ReadPart, type ReadResult } from './transaction.ts'

/** How nodes are read: several in one request. */
export type ReadParts = (parts: readonly ReadPart[]) => Promise<readonly ReadResult[]>

/** A node and the names of those below it. */
export interface NodeWithChildren extends NodeContent {
  readonly children: readonly string[]
}

/**
 * How many nodes are read in one request: a node has a megabyte at most, and the client takes an answer
 * of 64. One that is larger would cost the connection, and with it the jobs that live in its session.
 */
const nodesPerRead = 50

/** The nodes that exist, by their paths. */
export async function readNodes(
  readParts: ReadParts,
  paths: readonly string[],
): Promise<Map<string, NodeContent>> {
  const nodes = new Map<string, NodeContent>()
  for (const some of inChunks(paths)) {
    const results = await readParts(some.map((path) => read.get(path)))
    for (const [index, path] of some.entries()) {
      const content = contentIn(results[index])
      if (content !== undefined) nodes.set(path, content)
    }
  }
  return nodes
}

/** The same, with the names of their children. */
export async function readNodesWithChildren(
  readParts: ReadParts,
  paths: readonly string[],
): Promise<Map<string, NodeWithChildren>> {
  const nodes = new Map<string, NodeWithChildren>()
  for (const some of inChunks(paths)) {
    const results = await readParts(some.flatMap((path) => [read.get(path), read.children(path)]))
    for (const [index, path] of some.entries()) {
      const content = contentIn(results[index * 2])
      const children = childrenIn(results[index * 2 + 1])
      if (content !== undefined) nodes.set(path, { ...content, children })
    }
  }
  return nodes
}

function* inChunks(paths: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < paths.length; start += nodesPerRead) {
    yield paths.slice(start, start + nodesPerRead)
  }
}

function contentIn(result: ReadResult | undefined): NodeContent | undefined {
  requireKnown(result)
  return result !== undefined && 'data' in result ? result : undefined
}

export function childrenIn(result: ReadResult | undefined): readonly string[] {
  requireKnown(result)
  return result !== undefined && 'children' in result ? result.children : []
}

/** Unknown is not absent. */
export function requireKnown(result: ReadResult | undefined): void {
  if (result === undefined || !('error' in result)) return
  if (result.error.code !== 'REGISTRY_NO_NODE') throw result.error
}
