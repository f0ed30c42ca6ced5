import { startStandalone } from '../harness/standalone.ts'

/** Starts a server, says where, and waits to be killed. */
const server = await startStandalone()
process.stdout.write(JSON.stringify({ port: server.port, directory: server.directory }))
setInterval(() => undefined, 60_000)
