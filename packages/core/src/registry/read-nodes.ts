/** Reads many nodes in few requests. */
import { type NodeContent, read, type ReadPart, type ReadResult } from './transaction.ts'

/** Reads several nodes in one request. */
export type ReadParts = (parts: readonly ReadPart[]) => Promise<readonly ReadResult[]>

/** A node and the names of its children. */
export interface NodeWithChildren extends NodeContent {
  readonly children: readonly string[]
}

/**
 * How many nodes one request reads. A node has at most 1 MB, and the client accepts answers of up to 64 MB. A larger
 * answer would close the connection, on which the jobs of the session depend.
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

/** The nodes that exist, by their paths, with the names of their children. */
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

/** A failed read does not mean that the node is absent: throws its error. */
export function requireKnown(result: ReadResult | undefined): void {
  if (result === undefined || !('error' in result)) return
  if (result.error.code !== 'REGISTRY_NO_NODE') throw result.error
}
