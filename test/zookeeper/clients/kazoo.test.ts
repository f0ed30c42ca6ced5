import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { spawnOwned } from '../harness/owned-process.ts'
import { debianPython, kazooAvailable } from './kazoo.ts'
import { printedLines } from './printed-lines.ts'
import { onBothServers } from './servers.ts'

const program = fileURLToPath(new URL('kazoo/program.py', import.meta.url))

describe.skipIf(!inject('realZooKeeper') || !kazooAvailable())('a program that uses kazoo', () => {
  it('sees the same as with ZooKeeper', async () => {
    const { zooKeeper, embedded } = await onBothServers(({ connectString }) =>
      printedLines(spawnOwned(debianPython, [program, connectString], 'pipe')),
    )
    expect(embedded).toEqual(zooKeeper)
    expect(zooKeeper.at(-1)).toBe('done ')
  })
})
