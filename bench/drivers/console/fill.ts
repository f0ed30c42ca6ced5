/**
 * `fill <connect string> <namespace> <jobs> <shards> <dead servers>`: makes a large namespace and keeps its
 * instances alive. Then, for every line `{"job": 7, "text": "..."}`, gives that job another description, and
 * says when it did, in milliseconds of the machine's clock.
 */
import { createInterface } from 'node:readline'

import { part, ZooKeeper } from '@elasticjob/zookeeper'

import { pipeline, upTo } from '../measure.ts'
import { say } from '../say.ts'
import {
  addressesOf,
  applicationCount,
  applicationOf,
  configurationOf,
  deadServersOf,
  instanceOf,
  jobName,
  type Node,
  nodesOf,
} from './namespace.ts'

const inFlight = 10
/** When a session ends, all that it held goes in one transaction, which must not be too large. */
const applicationsOfSession = 5

const [servers = '', namespace = '', ...numbers] = process.argv.slice(2)
const [jobs = 1, shards = 1, deadServers = 0] = numbers.map(Number)
const size = { jobs, shards, deadServers }
const applications = applicationCount(size)

const started = performance.now()
const sessions = await Promise.all(
  Array.from({ length: Math.ceil(applications / applicationsOfSession) }, () =>
    ZooKeeper.connect({ servers, requestTimeout: 120_000, sessionTimeout: 40_000 }),
  ),
)
const [first] = sessions as [ZooKeeper]
let nodes = 0

const state = `/${namespace}.state`
for (const path of [
  `/${namespace}`,
  state,
  `${state}/alive`,
  `${state}/jobs`,
  `${state}/execution`,
]) {
  await make(first, [{ path, data: '' }])
}
for (let application = 0; application < applications; application++) {
  const alive = addressesOf(application).map((address) => ({
    path: `${state}/alive/${instanceOf(address)}`,
    data: '',
    ephemeral: true,
  }))
  await make(sessionOf(application), alive)
}
const now = Date.now()
await pipeline(upTo(jobs), inFlight, (job, settle) => {
  const made = make(sessionOf(applicationOf(job)), nodesOf(namespace, job, shards, now))
  made.then(() => settle(), settle)
})
for (const portion of deadServersOf(namespace, size)) await make(first, portion)
say({ nodes, seconds: (performance.now() - started) / 1000 })

for await (const line of createInterface(process.stdin)) {
  const { job, text } = JSON.parse(line) as { readonly job: number; readonly text: string }
  const at = Date.now()
  await first.set(`/${namespace}/${jobName(job)}/config`, configurationOf(job, shards, text))
  say({ at })
}
process.exit()

function sessionOf(application: number): ZooKeeper {
  return sessions[Math.floor(application / applicationsOfSession)] as ZooKeeper
}

async function make(zk: ZooKeeper, some: readonly Node[]): Promise<void> {
  await zk.multi(
    some.map(({ path, data, ephemeral = false }) =>
      part.create(path, data, { mode: ephemeral ? 'ephemeral' : 'persistent' }),
    ),
  )
  nodes += some.length
}
