import type { JuteWriter } from '@elasticjob/zookeeper/protocol'

/**
 * Writes a long that is a safe integer (a zxid, a time) as two ints: a bigint for each of the seven longs in
 * a reply would cost more than the rest of it.
 */
export function writeLong(writer: JuteWriter, value: number): void {
  writer.int(Math.floor(value / 0x1_0000_0000))
  writer.int(value | 0)
}
