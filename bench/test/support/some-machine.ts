import type { Machine } from '../../measure/machine.ts'

/** For reports that are not about it. */
export const someMachine: Machine = {
  cpu: 'a CPU',
  cores: 2,
  memoryGigabytes: 24,
  system: 'Linux',
  node: 'v20',
  java: '17',
}
