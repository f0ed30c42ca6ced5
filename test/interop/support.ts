import { inject, it as plainIt } from 'vitest'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { startTarget } from '../zookeeper/harness/target.ts'
import { Operations } from '@elasticjob/core/operations'
import { Crew, namespace } from './crew.ts'

export { expect } from 'vitest'

/** The `it` of scenarios with real Java. Processes and server are shared; every job is a new one. */
export const it = plainIt
  .extend('kind', { scope: 'worker' }, () => inject('target'))
  .extend('shared', { scope: 'worker' }, async ({ kind }, { onCleanup }) => {
    const target = await startTarget(kind)
    const registry = await ZooKeeper.connect({ servers: target.connectString })
    const crew = new Crew(target.connectString, registry)
    onCleanup(async () => {
      await crew.disband()
      await registry.close()
      await target.stop()
    })
    return crew
  })
  // Our operator, beside Java's lifecycle API, which Java peers have.
  .extend('operations', { scope: 'worker' }, async ({ shared }, { onCleanup }) => {
    const operations = await Operations.connect({ servers: shared.servers, namespace })
    onCleanup(() => operations.close())
    return operations
  })
  .extend('crew', ({ shared, onTestFailed }, { onCleanup }) => {
    onTestFailed(({ task }) => {
      process.stderr.write(`${task.name}:\n${shared.lastStory()}\n`)
    })
    onCleanup(() => shared.rest())
    return shared
  })

/** A topic; skipped where the Java worker or a real ZooKeeper is not to be had. */
export const besideJava = it.describe.skipIf(!inject('javaWorker'))
