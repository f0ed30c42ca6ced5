import { createFlag } from '@elasticjob/zookeeper/protocol'

/** The meaning of the flags of a create request. */
export interface CreateMode {
  readonly isEphemeral: boolean
  readonly isSequential: boolean
  readonly isContainer: boolean
  readonly hasTtl: boolean
}

const plain: CreateMode = {
  isEphemeral: false,
  isSequential: false,
  isContainer: false,
  hasTtl: false,
}

const modes: readonly CreateMode[] = Object.assign([], {
  [createFlag.persistent]: plain,
  [createFlag.ephemeral]: { ...plain, isEphemeral: true },
  [createFlag.persistentSequential]: { ...plain, isSequential: true },
  [createFlag.ephemeralSequential]: { ...plain, isEphemeral: true, isSequential: true },
  [createFlag.container]: { ...plain, isContainer: true },
  [createFlag.persistentTtl]: { ...plain, hasTtl: true },
  [createFlag.persistentSequentialTtl]: { ...plain, hasTtl: true, isSequential: true },
})

/** The mode of these flags, or undefined if they are invalid. */
export function createMode(flags: number): CreateMode | undefined {
  return modes[flags]
}
