/**
 * How the shards of a job are given to instances. It runs once for each change of its inputs, on the leader, and must
 * give every shard to exactly one of the instances.
 */
export interface ShardingStrategy {
  /** The name by which a job asks for it. */
  readonly type: string
  /**
   * @param instances the ids of the instances that may have shards, in Java's order: descending
   * @param total how many shards there are, 0 to total - 1
   * @param previous who has each shard now, whether it still lives or not
   * @param now the time of the registry, in milliseconds since 1970
   * @returns the shards of each instance
   */
  shard(
    instances: readonly string[],
    jobName: string,
    total: number,
    previous: ReadonlyMap<number, string>,
    now: number,
  ): Map<string, number[]>
}
