import { ZooKeeper } from '@elasticjob/zookeeper'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fourLetterWords, type RunningServer, startServer } from '../../src/index.ts'
import { RawSocket } from '../raw-socket.ts'

let server: RunningServer
let client: ZooKeeper

beforeAll(async () => {
  server = await startServer({ port: 0, fourLetterWords: ['*'] })
  client = await ZooKeeper.connect({ servers: server.connectString })
  await client.create('/e', 'x', { mode: 'ephemeral' })
  await client.get('/e', { watch: () => {} })
})

afterAll(async () => {
  await client.close()
  await server.stop()
})

const ask = async (word: string, port = server.port): Promise<string> => {
  const socket = await RawSocket.open(port)
  socket.write(word)
  return socket.rest()
}
const sid = (): string => `0x${client.sessionId.toString(16)}`

describe('a four-letter word', () => {
  it.each([
    ['ruok', /^imok$/],
    ['isro', /^rw$/],
    [
      'srvr',
      /^Zookeeper version: 3\.8\.0-\S+, built on .+\nLatency min\/avg\/max: \d+\/\d+\.\d+\/\d+\nReceived: \d+\nSent: \d+\nConnections: 2\nOutstanding: 0\nZxid: 0x[0-9a-f]+\nMode: standalone\nNode count: 6\n$/,
    ],
    ['stat', /\nClients:\n \/127\.0\.0\.1:\d+\[1\]\(queued=0,recved=\d+,sent=\d+\)\n/],
    ['mntr', /^zk_version\t3\.8\.0.*\nzk_server_state\tstandalone\nzk_ephemerals_count\t1\n/],
    ['mntr', /\nzk_znode_count\t6\n/],
    ['mntr', /\nzk_watch_count\t1\n/],
    ['conf', /^clientPort=\d+\ntickTime=2000\nmaxClientCnxns=0\nminSessionTimeout=4000\n/],
    ['envi', /^Environment:\nzookeeper\.version=3\.8\.0-/],
    ['wchs', /^1 connections watching 1 paths\nTotal watches:1\n$/],
  ])('%s is answered in the form that tools expect: %s', async (word, form) => {
    expect(await ask(word)).toMatch(form)
  })

  it('reports watches and connections', async () => {
    expect(await ask('wchp')).toBe(`/e\n\t${sid()}\n\n`)
    expect(await ask('wchc')).toBe(`${sid()}\n\t/e\n\n`)
    expect(await ask('cons')).toMatch(
      new RegExp(`sid=${sid()},lop=GETD,est=\\d+,to=\\d+,lcxid=0x[0-9a-f]+,lzxid=0x2,lresp=\\d+,`),
    )
    const dump = await ask('dump')
    expect(dump).toMatch(
      /^SessionTracker dump:\nSession Sets \(1\)\/\(1\):\n1 expire at \w{3} \w{3} /,
    )
    expect(dump).toContain(`Sessions with Ephemerals (1):\n${sid()}:\n\t/e\n`)
    expect(dump).toMatch(new RegExp(`ip: /127\\.0\\.0\\.1:\\d+ sessionId: ${sid()}\n`))
  })

  it.each(fourLetterWords)('%s is answered', async (word) => {
    expect(await ask(word)).not.toBe('')
  })

  it('an unknown word is a bad frame', async () => {
    expect(await ask('zzzz')).toBe('')
  })

  it('a word within a session is a bad frame', async () => {
    const socket = await RawSocket.withSession(server.port)
    socket.write('ruok')
    expect(await socket.rest()).toBe('')
  })

  it('a word that is not allowed gets a refusal', async () => {
    await using strict = await startServer({ port: 0 })
    expect(await ask('ruok', strict.port)).toBe('imok')
    expect(await ask('cons', strict.port)).toBe(
      'cons is not executed because it is not in the whitelist.\n',
    )
  })
})
