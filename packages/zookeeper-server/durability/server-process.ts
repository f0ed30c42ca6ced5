/** The process that is killed: a server with a data directory. */
import { startServer } from '@elasticjob/zookeeper-server'
import { type ChildOptions, readyLine, snapshotLine } from './server-child.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
const server = await startServer(options)
server.events.on('snapshot:taken', () => console.log(snapshotLine))
server.events.on('server:failed', ({ error }) => {
  throw error
})
process.once('SIGTERM', () => {
  void server.stop().then(() => process.exit())
})
// It must not outlive its parent, however the parent ends.
process.stdin.resume().once('close', () => process.exit())
console.log(`${readyLine}${server.port}`)
