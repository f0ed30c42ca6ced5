import { open as openAgenda } from './agenda.ts'
import { open as openBullMq } from './bullmq.ts'
import type { Open } from './contender.ts'
import { open as openElasticJob } from './elasticjob.ts'
import { open as openPgBoss } from './pg-boss.ts'

const contenders: Readonly<Record<string, Open>> = {
  agenda: openAgenda,
  bullmq: openBullMq,
  elasticjob: openElasticJob,
  'pg-boss': openPgBoss,
}

export const open = (name: string): Open => {
  const found = contenders[name]
  if (found === undefined) throw new Error(`there is no scheduler "${name}"`)
  return found
}
