/**
 * How the items of a job are given to instances. It runs once for each change of its inputs, on the
 * leader, and must give every item to exactly one of the instances.
 */
export interface ShardingStrategy {
  /** The name by which a job asks for it. */
  readonly type: string
  /**
   * @param instances the ids of the instances that may have items, in Java's order: descending
   * @param total how many items there are, 0 to total - 1
   * @param previous who has each item now, whether it still lives or not
   * @param now the time of the registry, in milliseconds since 1970
   * @returns the items of each instance
   */
  shard(
    instances: readonly string[],
    jobName: string,
    total: number,
    previous: ReadonlyMap<number, string>,
    now: number,
  ): Map<string, number[]>
}
