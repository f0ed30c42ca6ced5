/** `server [data directory]`: the embedded server on a free port, which it says as `{"port":12345}`. */
import { startServer } from '@elasticjob/zookeeper-server'

const [dataDir] = process.argv.slice(2)
const server = await startServer({ port: 0, ...(dataDir === undefined ? {} : { dataDir }) })
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`)
process.stdin.on('end', () => void server.stop()).resume()
