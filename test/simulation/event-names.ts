import type { ElasticJobEvents } from '@elasticjob/core'

/** Everything that the product tells, for the timeline. */
export const eventNames: readonly (keyof ElasticJobEvents)[] = [
  'job:registered',
  'job:stopped',
  'config:changed',
  'config:refused',
  'leader:elected',
  'leader:abdicated',
  'sharding:changed',
  'sharding:failed',
  'items:owned',
  'run:recorded',
  'run:superseded',
  'run:orphaned',
  'run:crashed',
  'run:abandoned',
  'claim:refused',
  'fire:corrected',
  'round:asked',
  'round:completed',
  'registry:suspended',
  'registry:resumed',
  'registry:renewed',
  'lease:ended',
  'error:unhandled',
]
