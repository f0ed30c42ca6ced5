import { systemClock } from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

import { BatchedReader } from '../../src/operations/batched-reader.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { ReadPart, ReadResult } from '../../src/registry/transaction.ts'
import { readTree } from '../support/tree-reader.ts'
import { TreeServer } from '../tree-server.ts'

interface Recorded {
  readonly reader: BatchedReader
  /** How many parts each request had. */
  readonly requests: number[]
  /** How many were under way at most. */
  most: number
}

function recorded(server: TreeServer): Recorded {
  let underWay = 0
  const result: Recorded = {
    requests: [],
    most: 0,
    reader: new BatchedReader(async (parts) => {
      result.requests.push(parts.length)
      underWay += 1
      result.most = Math.max(result.most, underWay)
      await new Promise((resolve) => systemClock.afterPoll(() => resolve(undefined)))
      underWay -= 1
      return parts.map((part) => readTree(server, part))
    }, systemClock),
  }
  return result
}

describe('BatchedReader', () => {
  it('sends in one request what is asked for together', async () => {
    const server = new TreeServer()
    server.put('/a/b', 'text')
    const { reader, requests } = recorded(server)
    const [children, node] = await Promise.all([reader.children('/a'), reader.get('/a/b')])
    expect(children).toEqual(['b'])
    expect(node).toMatchObject({ text: 'text', stat: { version: 0 } })
    expect(requests).toEqual([2])
  })

  it('gives what answers lead to in one request, too', async () => {
    const server = new TreeServer()
    for (let n = 0; n < 20; n++) server.put(`/${n}/child`, String(n))
    const { reader, requests } = recorded(server)
    await Promise.all(
      [...Array(20).keys()].map(async (n) => {
        const [name] = (await reader.children(`/${n}`)) ?? []
        expect(await reader.get(`/${n}/${name}`)).toMatchObject({ text: String(n) })
      }),
    )
    expect(requests).toEqual([20, 20])
  })

  it('knows what is absent', async () => {
    const { reader } = recorded(new TreeServer())
    expect(await reader.get('/nowhere')).toBeUndefined()
    expect(await reader.children('/nowhere')).toBeUndefined()
  })

  it('takes what could not be read for unknown, not for absent', async () => {
    const error = new RegistryError('REGISTRY_NO_AUTH', 'no')
    const refuse = (parts: readonly ReadPart[]): Promise<ReadResult[]> =>
      Promise.resolve(parts.map(() => ({ error })))
    await expect(new BatchedReader(refuse, systemClock).get('/a')).rejects.toBe(error)
    const fail = (): Promise<never> => Promise.reject(error)
    await expect(new BatchedReader(fail, systemClock).children('/a')).rejects.toBe(error)
  })

  it('has few requests under way, however much is asked for', async () => {
    const server = new TreeServer()
    const record = recorded(server)
    await Promise.all([...Array(10_000).keys()].map((n) => record.reader.get(`/${n}`)))
    expect(record.requests).toHaveLength(Math.ceil(10_000 / 60))
    expect(record.most).toBe(8)
  })
})
