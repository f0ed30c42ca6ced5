/**
 * `fill <connect string> <root> <parents> <children> <value size>`: makes a tree of three levels as
 * fast as the server takes it, one transaction for a parent with its children, and says how long
 * that took.
 */
import { part, ZooKeeper } from '@elasticjob/zookeeper'
import { pipeline, upTo } from './measure.ts'
import { say } from './say.ts'

const inFlight = 10

const [servers = '', root = '', ...numbers] = process.argv.slice(2)
const [parents = 0, children = 0, valueSize = 0] = numbers.map(Number)
const value = Buffer.alloc(valueSize, 'x')

const zk = await ZooKeeper.connect({ servers, requestTimeout: 120_000 })
const started = performance.now()
await zk.create(root, value)
await pipeline(upTo(parents), inFlight, (index, settle) => {
  const parent = `${root}/p${index}`
  const nodes = Array.from({ length: children }, (_, child) => `${parent}/n${child}`)
  zk.multi([parent, ...nodes].map((path) => part.create(path, value))).then(() => settle(), settle)
})
say({ nodes: 1 + parents * (children + 1), seconds: (performance.now() - started) / 1000 })
await zk.close()
