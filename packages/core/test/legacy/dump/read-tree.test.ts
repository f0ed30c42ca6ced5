import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readTree } from '../../../src/legacy/dump/read-tree.ts'
import type { ReadParts } from '../../../src/registry/read-nodes.ts'
import type { ReadPart } from '../../../src/registry/transaction.ts'
import { registryOn } from '../../support/registry-on.ts'

let server: RunningServer
let client: ZooKeeper
let requests: (readonly ReadPart[])[]

beforeEach(async () => {
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
  requests = []
})

afterEach(async () => {
  await client.close()
  await server.stop()
})

const counted: ReadParts = (parts) => {
  requests.push(parts)
  return registryOn(client).read(parts)
}

describe('readTree', () => {
  it("reads a node and all below it, in Java's order, with one request for each level", async () => {
    for (const path of ['/a/b/1', '/a/b/10', '/a/b/9', '/a/c', '/other']) {
      await client.create(path, `data of ${path}`, { parents: true })
    }
    const tree = await readTree(counted, '/a')
    expect(tree.map(({ path, text }) => [path, text])).toEqual([
      ['/a', ''],
      ['/a/c', 'data of /a/c'],
      ['/a/b', ''],
      ['/a/b/9', 'data of /a/b/9'],
      ['/a/b/10', 'data of /a/b/10'],
      ['/a/b/1', 'data of /a/b/1'],
    ])
    expect(requests).toHaveLength(3)
  })

  it('is empty if there is no such node', async () => {
    expect(await readTree(counted, '/none')).toEqual([])
  })

  it('asks for fifty nodes at a time', async () => {
    for (let i = 0; i < 101; i++) await client.create(`/a/${i}`, '', { parents: true })
    expect(await readTree(counted, '/a')).toHaveLength(102)
    expect(requests.map((parts) => parts.length)).toEqual([2, 100, 100, 2])
  })

  it('leaves out what goes while it reads, with all below it', async () => {
    await client.create('/a/b/c', '', { parents: true })
    await client.create('/a/d', '')
    const hurried: ReadParts = async (parts) => {
      if (requests.push(parts) === 2) await client.deleteRecursive('/a/b')
      return registryOn(client).read(parts)
    }
    expect((await readTree(hurried, '/a')).map(({ path }) => path)).toEqual(['/a', '/a/d'])
  })

  it('fails if it is not allowed to read something', async () => {
    const auth = [{ scheme: 'digest', auth: 'a:b' }]
    await using owner = await ZooKeeper.connect({ servers: server.connectString, auth })
    await owner.create('/a', '')
    await owner.create('/a/secret', '', {
      acl: [{ permissions: 31, id: { scheme: 'auth', id: '' } }],
    })
    await expect(readTree(counted, '/a')).rejects.toThrow('NO_AUTH')
  })
})
