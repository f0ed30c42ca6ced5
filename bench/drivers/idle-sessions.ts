/** `idle-sessions <connect string> <count>`: opens sessions, says so, and holds them until its input ends. */
import { ZooKeeper } from '@elasticjob/zookeeper'
import { endOfInput, say } from './say.ts'

/** How many connect at a time: all at once would measure the backlog of a socket. */
const atATime = 50

const [servers = '', count = '0'] = process.argv.slice(2)
const sessions: ZooKeeper[] = []
while (sessions.length < Number(count)) {
  const missing = Math.min(atATime, Number(count) - sessions.length)
  const opening = Array.from({ length: missing }, () =>
    ZooKeeper.connect({ servers, sessionTimeout: 30_000 }),
  )
  sessions.push(...(await Promise.all(opening)))
}
say({ sessions: sessions.length })
await endOfInput()
await Promise.all(sessions.map((session) => session.close()))
