import { describe, expect, inject, it } from 'vitest'
import { onBothServers } from './servers.ts'
import { runZkCli } from './zkcli.ts'
import { zkCliScripts } from './zkcli-scripts.ts'

describe.skipIf(!inject('realZooKeeper'))("Debian's zkCli", () => {
  it.each(Object.entries(zkCliScripts))(
    'says the same about %s as with ZooKeeper',
    async (_topic, script) => {
      const { zooKeeper, embedded } = await onBothServers(({ connectString }) =>
        runZkCli(connectString, script),
      )
      expect(embedded).toEqual(zooKeeper)
      expect(zooKeeper.events.at(-1)).toContain(script.lastEvent)
    },
  )
})
