import { type Acl, part, type TransactionPart } from '@elasticjob/zookeeper'

/** The creation of nodes as parts of a transaction, with the ACL that all nodes of a registry have. */
export interface NodeMaker {
  /** A node that stays. */
  persistent(path: string, data?: string): TransactionPart
  /** A node that goes with the session. */
  ephemeral(path: string, data?: string): TransactionPart
  /** A node that goes when its last child has gone. */
  container(path: string): TransactionPart
}

export function nodeMaker(acl: readonly Acl[]): NodeMaker {
  return {
    persistent: (path, data = '') => part.create(path, data, { acl }),
    ephemeral: (path, data = '') => part.create(path, data, { acl, mode: 'ephemeral' }),
    container: (path) => part.create(path, '', { acl, mode: 'container' }),
  }
}
