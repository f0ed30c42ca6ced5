import type { TestProject } from 'vitest/node'
import { javaAvailable } from '../zookeeper/harness/java.ts'
import { buildJavaWorker, mavenAvailable } from './java-worker.ts'
import { buildOldWorker } from './old-worker.ts'

/**
 * Builds the Java worker before anything waits for it. Where that is not possible the scenarios are
 * skipped, with the command that changes it; in CI it is an error, because a skipped suite looks just
 * like a passing one there.
 */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<void> {
  const missing = [
    ...(javaAvailable() ? [] : ['a JDK and ZooKeeper']),
    ...(mavenAvailable() ? [] : ['Maven']),
  ]
  project.provide('javaWorker', missing.length === 0)
  if (missing.length === 0) {
    await buildJavaWorker()
    await buildOldWorker()
    return
  }
  const message = `Scenarios with real Java need ${missing.join(' and ')} (\`npm run setup:zookeeper\`)`
  if (process.env['CI'] === 'true') throw new Error(`${message}.`)
  console.warn(`${message}: they are skipped.`)
}
