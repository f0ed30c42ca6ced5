/**
 * Assigns the shards of a job to instances. The leader calls it once for each change of its inputs. It must assign
 * every shard to exactly one of the instances.
 */
export interface ShardingStrategy {
  /** The name by which a job selects it. */
  readonly type: string
  /**
   * @param instances the ids of the available instances, in Java's order: descending
   * @param total the number of shards, numbered 0 to total - 1
   * @param previous the present owner of each shard, dead or alive
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
