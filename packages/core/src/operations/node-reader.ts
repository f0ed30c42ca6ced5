/** Reads single nodes, from the registry or from a copy of it. */
import type { NodeContent } from '../registry/transaction.ts'

/** The text and the version of a node. */
export interface NodeText {
  readonly text: string
  readonly stat: NodeContent['stat']
}

export interface NodeReader {
  /** Undefined if the node does not exist. */
  get(path: string): Promise<NodeText | undefined>
  /** The names of the children; undefined if the node does not exist. */
  children(path: string): Promise<readonly string[] | undefined>
}
