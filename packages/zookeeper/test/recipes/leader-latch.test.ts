import { EventEmitter } from 'node:events'

import { type Stat, toBytes, type ZooKeeper, ZooKeeperError } from '@elasticjob/zookeeper'
import { beforeEach, describe, expect, it } from 'vitest'

import { LeaderLatch } from '../../src/recipes/leader-latch.ts'
import { FakeClock } from '../support/fake-clock.ts'

const path = '/latch'

/** A client of a server that has the nodes of one line. */
class LineClient extends EventEmitter {
  readonly clock = new FakeClock()
  readonly nodes = new Map<string, bigint>()
  readonly watches = new Map<string, () => void>()
  sessionId = 1n
  state = 'connected'
  made = 0
  /** Called before an operation is answered; what it throws is the answer. */
  before: (operation: string) => Promise<void> | undefined = () => undefined

  async create(): Promise<{ path: string; stat: Stat }> {
    await this.before('create')
    const node = this.add(this.sessionId)
    return { path: node, stat: { ephemeralOwner: this.sessionId } as Stat }
  }

  async children(): Promise<{ children: string[] }> {
    await this.before('children')
    return { children: [...this.nodes.keys()].map((node) => node.slice(path.length + 1)) }
  }

  async exists(node: string): Promise<Stat | undefined> {
    await this.before('exists')
    const owner = this.nodes.get(node)
    return owner === undefined ? undefined : ({ ephemeralOwner: owner } as Stat)
  }

  async get(node: string): Promise<{ data: Uint8Array }> {
    await this.before('get')
    return { data: toBytes(node) }
  }

  async delete(node: string): Promise<void> {
    await this.before('delete')
    this.remove(node)
  }

  async addWatch(node: string, _: string, listener: () => void): Promise<object> {
    await this.before('addWatch')
    this.watches.set(node, listener)
    return {
      path: node,
      remove: () => {
        this.watches.delete(node)
        return Promise.resolve()
      },
    }
  }

  /** Somebody stands in line. */
  add(owner: bigint): string {
    const node = `${path}/_c_${owner}-latch-${String(this.made++).padStart(10, '0')}`
    this.nodes.set(node, owner)
    return node
  }

  remove(node: string): void {
    this.nodes.delete(node)
    this.watches.get(node)?.()
  }
}

let client: LineClient
let latch: LeaderLatch
let told: string[]

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

async function start(): Promise<void> {
  await latch.start()
  await settled()
}

beforeEach(() => {
  client = new LineClient()
  latch = new LeaderLatch(client as unknown as ZooKeeper, path)
  told = []
  latch.on('leadership:gained', () => void told.push('gained'))
  latch.on('leadership:lost', () => void told.push('lost'))
})

describe('a latch', () => {
  it('leads when it is the first in line', async () => {
    await start()
    expect([latch.hasLeadership, told]).toEqual([true, ['gained']])
  })

  it('watches the one before it, and leads when that one is gone', async () => {
    const first = client.add(5n)
    const second = client.add(6n)
    await start()
    expect(latch.hasLeadership).toBe(false)
    expect([...client.watches.keys()]).toEqual([second])
    client.remove(second)
    await settled()
    expect([latch.hasLeadership, [...client.watches.keys()]]).toEqual([false, [first]])
    client.remove(first)
    await settled()
    expect([latch.hasLeadership, told]).toEqual([true, ['gained']])
  })

  it('goes by the numbers of the nodes, not by their prefixes', async () => {
    client.nodes.set(`${path}/_c_zzz-latch-0000000000`, 5n)
    client.made = 1
    await start()
    expect(latch.hasLeadership).toBe(false)
  })

  it('leaves nodes alone that do not stand in line', async () => {
    client.nodes.set(`${path}/other-0000000000`, 5n)
    await start()
    expect(latch.hasLeadership).toBe(true)
  })

  it('leads no more as soon as the connection is lost', async () => {
    await start()
    client.state = 'suspended'
    client.emit('session:suspended')
    expect([latch.hasLeadership, told]).toEqual([false, ['gained', 'lost']])
    client.state = 'connected'
    client.emit('session:reconnected')
    await settled()
    expect([latch.hasLeadership, client.made]).toEqual([true, 1])
  })

  it('does not lead by a look from before the connection was lost', async () => {
    let answer: () => void = () => {}
    client.before = (operation) =>
      operation === 'exists'
        ? new Promise((resolve) => {
            answer = resolve
          })
        : undefined
    await start()
    client.emit('session:suspended')
    client.before = () => undefined
    answer()
    await settled()
    expect([latch.hasLeadership, told]).toEqual([false, []])
    client.emit('session:reconnected')
    await settled()
    expect(latch.hasLeadership).toBe(true)
  })

  it('stands in line anew in a new session, also while its old node is still there', async () => {
    await start()
    const { node } = latch
    client.emit('session:suspended')
    client.sessionId = 2n
    client.emit('session:renewed')
    await settled()
    expect(latch.node).not.toBe(node)
    expect(latch.hasLeadership).toBe(false)
    client.remove(node ?? '')
    await settled()
    expect(latch.hasLeadership).toBe(true)
  })

  it('stands in line anew when its node was deleted', async () => {
    await start()
    const { node } = latch
    client.remove(node ?? '')
    await settled()
    expect(latch.node).not.toBe(node)
    expect([latch.hasLeadership, told]).toEqual([true, ['gained', 'lost', 'gained']])
  })

  it('does not lead behind another latch of its own client', async () => {
    const first = client.add(client.sessionId)
    await start()
    expect(latch.hasLeadership).toBe(false)
    client.remove(first)
    await settled()
    expect(latch.hasLeadership).toBe(true)
  })

  it('does not lead by a node that belongs to another session', async () => {
    client.before = (operation) => {
      const [own] = client.nodes.keys()
      if (operation === 'exists' && own !== undefined) client.nodes.set(own, 9n)
      return undefined
    }
    await start()
    expect([latch.hasLeadership, told]).toEqual([false, []])
  })

  it('looks again if the one before it has gone between two reads', async () => {
    const first = client.add(5n)
    client.before = (operation) => {
      if (operation === 'exists') client.nodes.delete(first)
      return undefined
    }
    await start()
    await settled()
    expect(latch.hasLeadership).toBe(true)
  })

  it('looks again if it was woken while it looked', async () => {
    const first = client.add(5n)
    let isFirst = true
    client.before = (operation) => {
      if (operation === 'exists' && isFirst) {
        isFirst = false
        queueMicrotask(() => client.remove(first))
      }
      return undefined
    }
    await start()
    await settled()
    expect(latch.hasLeadership).toBe(true)
  })

  it('does not lead, and says so, when it may not see the line any more', async () => {
    await start()
    const failed: unknown[] = []
    latch.on('latch:failed', ({ error }) => void failed.push(error))
    client.before = (operation) => {
      if (operation === 'children') throw new ZooKeeperError('ZK_NO_AUTH', 'no')
      return undefined
    }
    client.watches.get(latch.node ?? '')?.()
    await settled()
    expect([latch.hasLeadership, failed.length]).toEqual([false, 1])
  })

  it('says nothing of a look that failed because the connection was lost', async () => {
    await start()
    const failed: unknown[] = []
    latch.on('latch:failed', ({ error }) => void failed.push(error))
    client.before = () => {
      client.state = 'suspended'
      throw new ZooKeeperError('ZK_CONNECTION_LOSS', 'lost')
    }
    client.watches.get(latch.node ?? '')?.()
    await settled()
    expect(failed).toEqual([])
  })

  it('leaves the line, its watch and its listeners when it stops', async () => {
    await start()
    await latch.stop()
    expect([client.nodes.size, client.watches.size, latch.hasLeadership]).toEqual([0, 0, false])
    expect(client.eventNames().flatMap((name) => client.listeners(name))).toEqual([])
    expect(told).toEqual(['gained', 'lost'])
  })

  it('deletes its node until that is known to be gone', async () => {
    await start()
    let tries = 0
    client.before = (operation) => {
      if (operation === 'delete' && ++tries < 3)
        throw new ZooKeeperError('ZK_CONNECTION_LOSS', 'lost')
      return undefined
    }
    await latch.stop()
    expect([tries, client.nodes.size]).toEqual([3, 0])
  })

  it('deletes nothing of an earlier session', async () => {
    await start()
    client.sessionId = 2n
    await latch.stop()
    expect(client.nodes.size).toBe(1)
  })

  it('gains nothing after it was stopped', async () => {
    const first = client.add(5n)
    await start()
    const stopping = latch.stop()
    client.remove(first)
    await stopping
    await settled()
    expect([latch.hasLeadership, told]).toEqual([false, []])
  })
})
