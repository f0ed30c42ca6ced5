import type { Stat } from '@elasticjob/zookeeper'

/** A stat whose fields all differ, except for the given ones. */
export function statWith(fields: Partial<Stat> = {}): Stat {
  return {
    czxid: 1n,
    mzxid: 2n,
    ctime: 3n,
    mtime: 4n,
    version: 5,
    cversion: 6,
    aversion: 7,
    ephemeralOwner: 8n,
    dataLength: 9,
    numChildren: 10,
    pzxid: 11n,
    ...fields,
  }
}
