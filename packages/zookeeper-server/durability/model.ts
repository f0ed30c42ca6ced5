import { type Operation, type Outcome, type Step, stepsOf } from './operation.ts'

/** The expected state of a node. Immutable. */
export interface ModelNode {
  readonly data: string
  readonly version: number
  /** The number of children ever created. */
  readonly creations: number
  readonly children: number
  readonly isEphemeral: boolean
}

class Refused extends Error {}

/** The expected nodes of one writer, by ZooKeeper's rules. */
export class Model {
  #nodes: Map<string, ModelNode>

  constructor(nodes: ReadonlyMap<string, ModelNode>) {
    this.#nodes = new Map(nodes)
  }

  /** The nodes of a writer that has only created its root. */
  static withRoot(root: string): Model {
    return new Model(new Map([[root, newNode('', false)]]))
  }

  get nodes(): ReadonlyMap<string, ModelNode> {
    return this.#nodes
  }

  copy(): Model {
    return new Model(this.#nodes)
  }

  /** Applies the operation, and returns the expected answer. */
  apply(operation: Operation): Outcome {
    const before = new Map(this.#nodes)
    try {
      return { results: stepsOf(operation).map((step) => this.#carryOut(step)) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#nodes = before
      return { error: error.message }
    }
  }

  #carryOut(step: Step): string | number {
    switch (step.kind) {
      case 'create':
        return this.#create(step)
      case 'set': {
        const node = this.#require(step.path, step.version)
        const version = node.version + 1
        this.#nodes.set(step.path, { ...node, data: step.data, version })
        return version
      }
      case 'delete': {
        if (this.#require(step.path, step.version).children > 0) throw new Refused('ZK_NOT_EMPTY')
        this.#nodes.delete(step.path)
        const parent = this.#require(parentOf(step.path), -1)
        this.#nodes.set(parentOf(step.path), { ...parent, children: parent.children - 1 })
        return 0
      }
      case 'check':
        this.#require(step.path, step.version)
        return 0
    }
  }

  #create(step: Step & { kind: 'create' }): string {
    const parentPath = parentOf(step.path)
    const parent = this.#require(parentPath, -1)
    const number = step.isSequential ? String(parent.creations).padStart(10, '0') : ''
    const path = step.path + number
    if (this.#nodes.has(path)) throw new Refused('ZK_NODE_EXISTS')
    if (parent.isEphemeral) throw new Refused('ZK_NO_CHILDREN_FOR_EPHEMERALS')
    this.#nodes.set(path, newNode(step.data, step.isEphemeral))
    const { creations, children } = parent
    this.#nodes.set(parentPath, { ...parent, creations: creations + 1, children: children + 1 })
    return path
  }

  #require(path: string, version: number): ModelNode {
    const node = this.#nodes.get(path)
    if (node === undefined) throw new Refused('ZK_NO_NODE')
    if (version !== -1 && version !== node.version) throw new Refused('ZK_BAD_VERSION')
    return node
  }
}

function newNode(data: string, isEphemeral: boolean): ModelNode {
  return { data, version: 0, creations: 0, children: 0, isEphemeral }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
