import type { TestProject } from 'vitest/node'

import { javaAvailable } from './harness/java.ts'

const missing =
  'ZooKeeper, Curator or a JDK is not installed; `npm run setup:zookeeper` installs them'
const alreadyTold = Symbol.for('elasticjob.test.zookeeper-missing-told')

/**
 * Tells the tests whether a real ZooKeeper can be started. On a contributor's machine its absence
 * skips them and names the command that installs it; in CI it is an error, because a skipped suite
 * looks just like a passing one there.
 */
export function setup(project: TestProject): void {
  const available = javaAvailable()
  project.provide('realZooKeeper', available)
  if (available) return
  if (process.env['CI'] === 'true') throw new Error(missing)
  tellOnce(`The tests with a real ZooKeeper are skipped: ${missing}.`)
}

/** Vitest loads this module once a project, so a module variable would not remember. */
function tellOnce(message: string): void {
  const memory = globalThis as Record<symbol, unknown>
  if (memory[alreadyTold] === true) return
  memory[alreadyTold] = true
  console.warn(message)
}
