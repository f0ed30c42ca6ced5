import { nameOf } from '@elasticjob/zookeeper'
import { inLine, recordLatch, started } from '../conformance/latches.ts'
import { next } from '../conformance/recorder.ts'
import { CuratorPeer } from '../harness/curator-peer.ts'
import { eventually } from '../harness/eventually.ts'
import { besideCurator, expect, it } from './support.ts'

besideCurator('a leader latch beside that of Curator', () => {
  it('leads after Curator, and Curator after it', async ({ root, ours, java }) => {
    const path = `${root}/latch`
    await java.startLatch(`${root} 0`, path)
    await java.whenLatch(`${root} 0`, true)
    for (let round = 0; round < 5; round++) {
      const latch = await started(ours, path)
      expect(latch.hasLeadership).toBe(false)
      await java.closeLatch(`${root} ${round}`)
      await latch.acquired()

      const following = `${root} ${round + 1}`
      await java.startLatch(following, path)
      expect((await java.latchState(following)).leader).toBe(false)
      await latch.stop()
      await java.whenLatch(following, true)
    }
    await java.closeLatch(`${root} 5`)
  })

  it('sees whom Curator sees, in the same order', async ({ root, ours, java, otherJava }) => {
    const path = `${root}/latch`
    await java.startLatch(`${root} 1`, path, 'Java 1')
    const second = await started(ours, path, 'ours 2')
    await otherJava.startLatch(`${root} 3`, path, 'Java 3')
    const fourth = await started(ours, path, 'ours 4 — “四”')
    await java.whenLatch(`${root} 1`, true)

    const line = ['Java 1', 'ours 2', 'Java 3', 'ours 4 — “四”']
    expect(await java.latchState(`${root} 1`)).toMatchObject({ line, currentLeader: 'Java 1' })
    expect(await otherJava.latchState(`${root} 3`)).toMatchObject({
      line,
      currentLeader: 'Java 1',
      leader: false,
    })
    const seen = await fourth.participants()
    expect(seen.map(({ id }) => id)).toEqual(line)
    expect(seen.map(({ isLeader }) => isLeader)).toEqual([true, false, false, false])

    await java.closeLatch(`${root} 1`)
    await second.acquired()
    expect(await otherJava.latchState(`${root} 3`)).toMatchObject({
      line: line.slice(1),
      currentLeader: 'ours 2',
    })
    await otherJava.closeLatch(`${root} 3`)
  })

  it('names its node as Curator does', async ({ root, ours, java }) => {
    const path = `${root}/latch`
    await java.startLatch(root, path)
    const latch = await started(ours, path)
    const { ourPath } = await java.latchState(root)
    const form = /^_c_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-latch-\d{10}$/
    expect(nameOf(ourPath as string)).toMatch(form)
    expect(nameOf(latch.node as string)).toMatch(form)
    expect(Number(latch.node?.slice(-10))).toBe(Number(ourPath?.slice(-10)) + 1)
    await java.closeLatch(root)
  })

  it('leads after a process with Curator has crashed', async ({ root, ours, target }) => {
    const path = `${root}/latch`
    const crashing = await CuratorPeer.start(target.connectString, { sessionTimeoutMs: 2_000 })
    await crashing.startLatch('crashing', path)
    await crashing.whenLatch('crashing', true)
    const latch = await started(ours, path)
    await crashing.kill()
    await latch.acquired()
    expect(await latch.participants()).toHaveLength(1)
  })

  it('leads after the session of Curator has ended, and Curator after it', async ({
    root,
    ours,
    otherJava,
  }) => {
    const path = `${root}/latch`
    await otherJava.startLatch(root, path)
    await otherJava.whenLatch(root, true)
    const latch = await started(ours, path)
    await otherJava.killSession()
    await latch.acquired()
    expect(latch.hasLeadership).toBe(true)
    await otherJava.whenLatch(root, false)
    // It looks for its old place first, and gives up for ever if the path has gone meanwhile.
    await eventually(async () => ((await latch.participants()).length === 2 ? true : undefined), {
      what: 'Curator back in line',
    })
    await latch.stop()
    await otherJava.whenLatch(root, true)
    const { ourPath } = await otherJava.latchState(root)
    expect(latch.hasLeadership).toBe(false)
    expect(await inLine(ours, path)).toEqual([ourPath])
    await otherJava.closeLatch(root)
  })

  it('gives way to Curator when its session has ended, and follows', async ({
    root,
    ours,
    java,
    target,
  }) => {
    const path = `${root}/latch`
    const latch = await started(ours, path)
    await latch.acquired()
    const told = recordLatch(latch)
    await java.startLatch(root, path)
    const renewed = next(ours, 'session:renewed')
    await target.expireSession(ours.sessionId, ours.sessionPassword)
    await java.whenLatch(root, true)
    await renewed
    expect(told.seen).toEqual(['lost'])
    await java.closeLatch(root)
    await latch.acquired()
  })

  it('keeps Curator waiting while its connection is lost', async ({
    root,
    clients,
    proxy,
    java,
  }) => {
    const path = `${root}/latch`
    const zk = await clients.connect({ chroot: '', via: proxy })
    const latch = await started(zk, path)
    await latch.acquired()
    await java.startLatch(root, path)
    const told = recordLatch(latch)
    proxy.dropAll()
    await told.atLeast(2)
    expect(told.seen).toEqual(['lost', 'gained'])
    expect((await java.latchState(root)).leader).toBe(false)
    await latch.stop()
    await java.whenLatch(root, true)
    await java.closeLatch(root)
  })
})
