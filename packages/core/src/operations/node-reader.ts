/** Reads of single nodes, wherever they come from: the registry, or a copy of it. */
import type { NodeContent } from '../registry/transaction.ts'

/** What a node says, and in which version. */
export interface NodeText {
  readonly text: string
  readonly stat: NodeContent['stat']
}

export interface NodeReader {
  /** Undefined if the node does not exist. */
  get(path: string): Promise<NodeText | undefined>
  /** The names of its children; undefined if the node does not exist. */
  children(path: string): Promise<readonly string[] | undefined>
}
