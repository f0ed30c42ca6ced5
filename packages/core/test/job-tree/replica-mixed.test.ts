import { describe, expect, it } from 'vitest'

import { encodeAssignment, noAssignment } from '../../src/job-tree/stored-assignment.ts'
import { isMixed } from '../../src/job-tree/job-view.ts'
import { JobReplica } from '../../src/job-tree/replica.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { ReadPart, ReadResult, Stat } from '../../src/registry/transaction.ts'
import { shardsOf } from '../../src/sharding/ownership.ts'
import { java, type JobTree, jobTree, type Situation, x, y } from '../tree.ts'

interface Followed {
  readonly tree: JobTree
  readonly replica: JobReplica
  /** The paths that were read since the last change. */
  readonly reads: string[]
  /** Makes or sets a node, and lets the replica hear of it and read what it wants. */
  readonly put: (path: string, text?: string) => Promise<void>
  readonly drop: (path: string) => Promise<void>
}

/** A replica of a tree, with the events of what is done to it. */
async function follow(situation: Situation): Promise<Followed> {
  const tree = jobTree(situation)
  const { server, paths } = tree
  const reads: string[] = []
  const answer = (part: ReadPart): ReadResult => {
    reads.push(part.path)
    const node = server.get(part.path)
    if (node === undefined) return { error: new RegistryError('REGISTRY_NO_NODE', part.path) }
    const { version, czxid } = node
    const stat = { version, czxid, ctime: BigInt(node.ctime), mtime: BigInt(node.mtime) } as Stat
    return part.type === 'children'
      ? { children: server.children(part.path), stat }
      : { data: Buffer.from(node.text), stat }
  }
  const replica = new JobReplica(
    tree.jobName,
    paths,
    new Set(server.children(tree.state.alive)),
    { read: async (parts) => parts.map(answer), now: () => server.time },
    () => {},
    (error) => {
      throw error
    },
  )
  const settle = async (): Promise<void> => {
    do await new Promise(setImmediate)
    while (!replica.isSynced)
  }
  replica.load()
  await settle()
  const touch = async (
    type: 'created' | 'dataChanged' | 'deleted',
    path: string,
  ): Promise<void> => {
    reads.length = 0
    replica.touched({ type, path })
    await settle()
  }
  return {
    tree,
    replica,
    reads,
    put: async (path, text = '') => {
      const exists = server.get(path) !== undefined
      server.put(path, text)
      await touch(exists ? 'dataChanged' : 'created', path)
    },
    drop: async (path) => {
      server.drop(path)
      await touch('deleted', path)
    },
  }
}

const native: Situation = { instances: [x, y], leader: x, owners: [x, y] }

describe('a replica of a job without Java instances', () => {
  it('reads no names, so that nothing has to be looked at to know that it is pure', async () => {
    const { replica, tree, reads, put } = await follow(native)
    expect(replica.readsOwners).toBe(false)
    expect(isMixed(replica)).toBe(false)
    await put(tree.paths.owner(0), y)
    await put(tree.paths.mark(0, 'running'), y)
    expect(reads).toEqual([])
  })

  it('reads them when somebody of Java comes, by whatever node', async () => {
    const { paths } = jobTree()
    for (const path of [
      paths.instance(java),
      paths.leaderInstance,
      paths.mark(0, 'failover'),
      paths.mark(1, 'failovering'),
    ]) {
      const { replica, put } = await follow(native)
      await put(path, java)
      expect(isMixed(replica)).toBe(true)
      expect(replica.shards.get(1)?.owner?.instance).toBe(y)
    }
  })
})

describe('an instance of Java', () => {
  it('whose node goes and comes is away, not dead, and keeps the job mixed', async () => {
    const { replica, tree, put, drop } = await follow({ ...native, instances: [x, y, java] })
    await drop(tree.paths.instance(java))
    expect(replica.absences.get(java)).toEqual({ since: tree.server.time, isFinal: false })
    expect(isMixed(replica)).toBe(true)
    await put(tree.paths.instance(java))
    expect(replica.absences.size).toBe(0)
  })

  it('that is named and not there is away since we have looked', async () => {
    const { replica, tree } = await follow({ ...native, owners: [java, x], leader: java })
    expect(replica.absences.get(java)?.since).toBe(tree.server.time)
    expect(replica.settleAbsences(tree.server.time + 2999)).toBe(tree.server.time + 3000)
    expect(replica.settleAbsences(tree.server.time + 3000)).toBeUndefined()
    expect(replica.absences.get(java)?.isFinal).toBe(true)
  })

  it('that had gone before we came keeps the job mixed if the assignment names it', async () => {
    const { replica, tree } = await follow({
      ...native,
      owners: [java, x],
      marks: { 0: { running: java } },
    })
    expect(replica.absences.get(java)).toEqual({ since: tree.server.time, isFinal: false })
    expect(isMixed(replica)).toBe(true)
    expect(replica.shards.get(0)).toMatchObject({ owner: { instance: java }, runner: java })
  })

  it('that went while we were not connected is away since we came back', async () => {
    const { replica, tree } = await follow({ ...native, instances: [x, y, java] })
    tree.server.drop(tree.paths.instance(java))
    tree.server.time += 60_000
    replica.load()
    while (!replica.isSynced) await new Promise(setImmediate)
    expect(replica.absences.get(java)).toEqual({ since: tree.server.time, isFinal: false })
  })
})

describe('when Java is gone', () => {
  it('the epoch is trusted again if it says what the nodes say', async () => {
    const { replica, tree, drop } = await follow({ ...native, instances: [x, y, java] })
    await drop(tree.paths.instance(java))
    expect(replica.readsOwners).toBe(true)
    replica.settleAbsences(tree.server.time + 3000)
    expect(replica.readsOwners).toBe(false)
    expect(replica.shards.get(0)?.owner).toBeUndefined()
  })

  it('is not trusted before a leader of ours has written what Java has assigned', async () => {
    const { replica, tree, put, drop } = await follow({ ...native, instances: [x, y, java] })
    await put(tree.paths.owner(0), y)
    await drop(tree.paths.instance(java))
    replica.settleAbsences(tree.server.time + 3000)
    expect(isMixed(replica)).toBe(false)
    const mine = { instance: x, ip: '10.0.0.1' }
    const resharding = { total: 2, strategy: 'AVG_ALLOCATION' }
    expect([...shardsOf(replica, mine, resharding)]).toEqual([])
    await put(tree.paths.assignment, encodeAssignment({ ...noAssignment, owners: [y, y] }))
    expect(replica.readsOwners).toBe(false)
  })

  it('one without data is not trusted as long as there are shards', async () => {
    const { replica, put, tree } = await follow(native)
    await put(tree.paths.assignment, '')
    expect(replica.readsOwners).toBe(true)
    expect(replica.shards.get(0)?.owner?.instance).toBe(x)
  })
})

describe('the nodes of Java', () => {
  it('the last flag is remembered when it is down again, also if it was gone before it was read', async () => {
    const { replica, tree, put, drop } = await follow(native)
    expect(replica.lastFlag).toBeUndefined()
    const raised = tree.server.time
    await put(tree.paths.necessary)
    tree.server.time += 5000
    await drop(tree.paths.necessary)
    expect(replica.necessary).toBeUndefined()
    expect(replica.lastFlag).toBe(raised)
    replica.touched({ type: 'created', path: tree.paths.necessary })
    expect(replica.lastFlag).toBe(tree.server.time)
  })

  it('the turn is known while its node is there', async () => {
    const { replica, tree, put, drop } = await follow({ ...native, turn: '10.0.0.1' })
    expect(replica.turn).toEqual({ ip: '10.0.0.1', ctime: tree.server.time })
    tree.server.time += 10
    await put(tree.paths.nextInstanceIp, '10.0.0.2')
    expect(replica.turn?.ip).toBe('10.0.0.2')
    await drop(tree.paths.nextInstanceIp)
    expect(replica.turn).toBeUndefined()
  })
})
