/** 1: who has left a job gets nothing new in it: every claim is of an instance that takes part. */
import type { History, Violation } from './history.ts'
import { isJava } from './leftovers.ts'

export function claimsOfTheAbsent({ transactions, committedAt }: History): Violation[] {
  const present = new Set<string>()
  const found: Violation[] = []
  for (const [index, { body, sessionId }] of transactions.entries()) {
    if (body.kind === 'closeSession') for (const path of body.ephemerals) present.delete(path)
    const changes = body.kind === 'multi' ? body.changes : 'path' in body ? [body] : []
    for (const change of changes) {
      const { path, kind } = change
      const [, namespace, jobName = '', folder, shard, mark] = path.split('/')
      if (folder === 'instances') {
        if (kind === 'delete') present.delete(path)
        else if (kind !== 'setAcl') present.add(path)
      }
      // What a registry was restored with nobody has begun.
      if (sessionId === 0n) continue
      if (folder !== 'sharding' || mark !== 'running' || kind === 'delete' || kind === 'setAcl') {
        continue
      }
      const instance = change.data === null ? '' : Buffer.from(change.data).toString()
      if (isJava(instance) || present.has(`/${namespace}/${jobName}/instances/${instance}`))
        continue
      const text = `${instance} begins ${jobName}/${shard}, and takes no part in the job`
      const at = committedAt[index] ?? 0
      found.push({ rule: '1', at, text, jobName, shard: Number(shard) })
    }
  }
  return found
}
