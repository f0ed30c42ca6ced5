/** When a shard has an owner: from then on its fire times are due. */
import { isZooKeeperError, type ZooKeeper } from '@elasticjob/zookeeper'
import { eventually } from '../../zookeeper/harness/eventually.ts'

/** Resolves when the shard has an owner, with when its node was created. */
export type FirstOwned = (job: string, shard: number) => Promise<number>

export function firstOwnedBy(connect: () => Promise<ZooKeeper>, namespace: string): FirstOwned {
  return async (job, shard) => {
    const path = `/${namespace}/${job}/sharding/${shard}`
    await using client = await connect()
    return await eventually(
      async () => {
        try {
          const { data } = await client.get(`${path}/instance`)
          if (data.length === 0) return undefined
          const { stat } = await client.get(path)
          return Number(stat.ctime)
        } catch (error) {
          if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
          throw error
        }
      },
      { what: `an owner of ${path}`, timeoutMs: 60_000 },
    )
  }
}
