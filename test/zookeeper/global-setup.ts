import type { TestProject } from 'vitest/node'

import { kazooAvailable } from './clients/kazoo.ts'
import { nodeZooKeeperClientAvailable } from './clients/node-zookeeper-client.ts'
import { javaAvailable } from './harness/java.ts'

const installs = '`npm run setup:zookeeper` installs what is missing'
const alreadyTold = Symbol.for('elasticjob.test.zookeeper-missing-told')

/**
 * Tells the tests whether a real ZooKeeper can be started. On a contributor's machine its absence, or
 * that of another client, skips the tests that need it and names the command that installs it; in
 * CI it is an error, because a skipped suite looks just like a passing one there.
 */
export function setup(project: TestProject): void {
  const hasZooKeeper = javaAvailable()
  project.provide('realZooKeeper', hasZooKeeper)
  demand(hasZooKeeper, 'a real ZooKeeper', 'ZooKeeper, Curator or a JDK is not installed')
  if (project.name !== 'clients') return
  demand(kazooAvailable(), "Python's kazoo", 'kazoo, pytest, mock or objgraph is not installed')
  demand(nodeZooKeeperClientAvailable(), 'node-zookeeper-client', 'it is not installed')
}

function demand(isAvailable: boolean, what: string, missing: string): void {
  if (isAvailable) return
  const reason = `${missing}; ${installs}.`
  if (process.env['CI'] === 'true') throw new Error(`No tests with ${what}: ${reason}`)
  tellOnce(`The tests with ${what} are skipped: ${reason}`)
}

/** Vitest loads this module once a project, so a module variable would not remember. */
function tellOnce(message: string): void {
  const memory = globalThis as { [alreadyTold]?: Set<string> }
  const told = (memory[alreadyTold] ??= new Set())
  if (told.has(message)) return
  told.add(message)
  console.warn(message)
}
