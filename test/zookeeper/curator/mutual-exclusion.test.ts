import { LeaderLatch, toText, type ZooKeeper } from '@elasticjob/zookeeper'
import { Dice } from '../conformance/random-writer.ts'
import type { CuratorPeer } from '../harness/curator-peer.ts'
import { besideCurator, expect, it } from './support.ts'

/** Somebody who wants to lead, again and again. */
interface Contender {
  /** Stands in line, and resolves as soon as it leads. */
  enter(): Promise<void>
  readCounter(): Promise<number>
  writeCounter(value: number): Promise<void>
  leave(): Promise<void>
}

function ourContender(zk: ZooKeeper, root: string): Contender {
  let latch = new LeaderLatch(zk, `${root}/latch`)
  return {
    async enter() {
      await latch.start()
      await latch.acquired()
    },
    async readCounter() {
      await zk.sync(root)
      return Number(toText((await zk.get(root)).data))
    },
    async writeCounter(value) {
      await zk.set(root, `${value}`)
    },
    async leave() {
      await latch.stop()
      latch = new LeaderLatch(zk, `${root}/latch`)
    },
  }
}

function javaContender(peer: CuratorPeer, root: string, number: number): Contender {
  let round = 0
  const name = (): string => `${root} ${number} ${round}`
  return {
    async enter() {
      round++
      await peer.startLatch(name(), `${root}/latch`)
      await peer.whenLatch(name(), true)
    },
    readCounter: async () => Number(await peer.get(root)),
    async writeCounter(value) {
      await peer.set(root, `${value}`)
    },
    leave: () => peer.closeLatch(name()),
  }
}

besideCurator('leaders of both kinds', () => {
  it('never lead at the same time', async ({ root, ours, otherOurs, java, otherJava }) => {
    await ours.set(root, '0')
    // Not a container: it would go whenever nobody is in line, and Curator does not always get over it.
    await ours.create(`${root}/latch`)
    const contenders = [
      ourContender(ours, root),
      ourContender(ours, root),
      ourContender(otherOurs, root),
      javaContender(java, root, 1),
      javaContender(java, root, 2),
      javaContender(otherJava, root, 3),
    ]
    const rounds = 40
    const leading = new Set<Contender>()
    const overlaps: string[] = []
    const order: number[] = []
    const dice = new Dice(1)

    /** Reads a counter and writes the next number, unprotected but by being the leader. */
    const lead = async (contender: Contender, number: number): Promise<void> => {
      await contender.enter()
      leading.add(contender)
      order.push(number)
      if (leading.size > 1) overlaps.push(`${order.length}. leader: ${number}`)
      const before = await contender.readCounter()
      for (let pause = dice.below(3); pause > 0; pause--) await contender.readCounter()
      await contender.writeCounter(before + 1)
      leading.delete(contender)
      await contender.leave()
    }
    await Promise.all(
      contenders.map(async (contender, number) => {
        for (let round = 0; round < rounds; round++) await lead(contender, number)
      }),
    )

    expect(overlaps).toEqual([])
    expect(toText((await ours.get(root)).data)).toBe(`${contenders.length * rounds}`)
    // Both kinds took turns: otherwise nothing was proven.
    const isOurs = order.map((number) => number < 3)
    const handOvers = isOurs.filter((kind, i) => i > 0 && kind !== isOurs[i - 1]).length
    expect(handOvers).toBeGreaterThan(rounds)
  })
})
