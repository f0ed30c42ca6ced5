/** The transactions of a fire without a scheduler: what remains if everything else took no time. */
import { setTimeout as pass } from 'node:timers/promises'
import { part, type TransactionPart, ZooKeeper } from '@elasticjob/zookeeper'
import type { BareTransactions } from './contract.ts'
import type { WallClock } from './wall-clock.ts'

interface BareFire {
  readonly servers: string
  readonly namespace: string
  readonly job: string
  readonly shards: number
  readonly failover: boolean
  readonly count: number
}

const hotWarmup = 200

/** Needs a job that has run: the words of its shards are those that are written here. */
export async function bareTransactions(
  { servers, namespace, job, shards, failover, count }: BareFire,
  clock: WallClock,
): Promise<BareTransactions> {
  const client = await ZooKeeper.connect({ servers })
  const word = await client.get(`/${namespace}.state/execution/${job}/0`)
  // About as long as the paths of the job.
  const root = `/${namespace}.${job}`
  const states = `/${namespace}.words.${job}`
  const all = Array.from({ length: shards }, (_, shard) => shard)
  const shard = (number: number): string => `${root}/sharding/${number}`
  await client.multi([
    part.create(root),
    part.create(`${root}/instances`),
    part.create(`${root}/sharding`),
    part.create(states),
    ...all.flatMap((number) => [
      part.create(shard(number)),
      part.create(`${shard(number)}/instance`),
      part.create(`${states}/${number}`),
    ]),
  ])
  const mark = (number: number): TransactionPart =>
    failover
      ? part.create(`${shard(number)}/running`, instance)
      : part.create(`${shard(number)}/running`, instance, { mode: 'ephemeral' })
  const instance = '10.1.0.1@-@12345-abcdefgh'
  const claim = [
    part.check(`${root}/instances`),
    ...all.flatMap((number) => [
      part.check(`${shard(number)}/instance`, 0),
      mark(number),
      part.set(`${states}/${number}`, word.data),
    ]),
  ]
  const end = all.flatMap((number) => [
    part.delete(`${shard(number)}/running`),
    part.set(`${states}/${number}`, word.data),
  ])
  const both = async (): Promise<number> => {
    const begun = performance.now()
    await client.multi(claim)
    await client.multi(end)
    return performance.now() - begun
  }
  const once = async (): Promise<number> => {
    // In the middle between two fires of the job.
    await pass(1500 - (clock.now() % 1000))
    return both()
  }
  const paced: number[] = []
  for (let fire = 0; fire < count; fire++) paced.push(await once())
  // The marks of a job are watched by who runs it, and here by who measures it.
  const other = await ZooKeeper.connect({ servers })
  const watches = await Promise.all(
    [client, other].map((one) => one.addWatch(root, 'recursive', () => {})),
  )
  const watched: number[] = []
  for (let fire = 0; fire < count; fire++) watched.push(await once())
  for (const watch of watches) await watch.remove()
  await other.close()
  const hot: number[] = []
  for (let time = 0; time < hotWarmup + count * 10; time++) {
    const milliseconds = await both()
    if (time >= hotWarmup) hot.push(milliseconds)
  }
  await client.close()
  return { paced, hot, watched }
}
