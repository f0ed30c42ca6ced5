import { ZooKeeper } from '@elasticjob/zookeeper'
import { startServer } from '@elasticjob/zookeeper-server'
import { expect, test } from 'vitest'

import { readNodes, readNodesWithChildren } from '../../src/registry/read-nodes.ts'
import { type ReadPart, type ReadResult, toText } from '../../src/registry/transaction.ts'
import { registryOn } from '../support/registry-on.ts'

test('reads the nodes that exist, fifty at a time, with their children if they are asked for', async () => {
  await using server = await startServer({ port: 0 })
  await using client = await ZooKeeper.connect({ servers: server.connectString })
  await client.create('/a', 'one')
  await client.create('/a/b', 'two')
  const sizes: number[] = []
  const counted = (parts: readonly ReadPart[]): Promise<readonly ReadResult[]> => {
    sizes.push(parts.length)
    return registryOn(client).read(parts)
  }
  const missing = Array.from({ length: 60 }, (_, i) => `/missing-${i}`)
  const nodes = await readNodes(counted, [...missing, '/a', '/a/b'])
  expect([...nodes].map(([path, { data }]) => [path, toText(data)])).toEqual([
    ['/a', 'one'],
    ['/a/b', 'two'],
  ])
  const whole = await readNodesWithChildren(counted, ['/a', '/a/b', '/none'])
  expect([...whole].map(([path, { children }]) => [path, children])).toEqual([
    ['/a', ['b']],
    ['/a/b', []],
  ])
  expect(sizes).toEqual([50, 12, 6])
  expect(await readNodes(counted, [])).toEqual(new Map())
})
