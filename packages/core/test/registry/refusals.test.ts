import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { ElasticJob, type ElasticJobOptions } from '@elasticjob/core'
import { type Transport, ZooKeeper } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { startServer } from '@elasticjob/zookeeper-server'
import { describe, expect, it } from 'vitest'

import { SimulatedCluster } from '../simulated-cluster.ts'

/** A transport to servers that do not know one operation: its requests have a number that no server knows. */
function without(operation: number, transactionRunner: Transport): Transport {
  return {
    resolve: (host) => transactionRunner.resolve(host),
    connect(endpoint, handler) {
      const stream = transactionRunner.connect(endpoint, handler)
      let isGreeted = false
      return {
        write(bytes) {
          const copy = Buffer.from(bytes)
          for (let at = 0; at < copy.length; at += 4 + copy.readInt32BE(at)) {
            if (isGreeted && copy.readInt32BE(at + 8) === operation) copy.writeInt32BE(999, at + 8)
            isGreeted = true
          }
          stream.write(copy)
        },
        end: () => stream.end(),
        destroy: () => stream.destroy(),
      }
    },
  }
}

const refusal = (connecting: Promise<ElasticJob>): Promise<unknown> =>
  connecting.then(
    async (jobs) => {
      await jobs.stop()
      throw new Error('it was not refused')
    },
    (error: unknown) => error,
  )

describe('a ZooKeeper before 3.6', () => {
  for (const name of ['addWatch', 'multiRead'] as const) {
    it(`that does not know ${name} is named, with the version that is needed`, async () => {
      const cluster = await SimulatedCluster.start()
      const { clock } = cluster
      const transport = without(opCode[name], cluster.network.transport('10.0.1.1'))
      const joining = cluster.join('10.0.1.1', { environment: { clock, transport } })
      const error = await joining.then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: 'REGISTRY_UNSUPPORTED' })
      expect(String(error)).toContain('10.0.0.1:2181 does not support this request')
      expect(String(error)).toContain('ZooKeeper 3.6 or newer')
      await cluster.stop()
    })
  }
})

describe('a server that accepts connections and never answers', () => {
  it('is named, also when the time to connect is shorter than that for an answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const error = await refusal(
      ElasticJob.connect({
        servers: `127.0.0.1:${port}`,
        namespace: 'shop',
        connectionTimeoutMilliseconds: 300,
        logger: false,
      }),
    )
    silent.close()
    expect(error).toMatchObject({ code: 'JOB_REGISTRY_UNREACHABLE' })
    expect(String(error)).toContain(
      `127.0.0.1:${port} accepted the connection but did not answer the handshake`,
    )
  })
})

describe('an identity that is not the right one', () => {
  it('for the nodes of the namespace is told, with the node and the option', async () => {
    await using server = await startServer({ port: 0 })
    const options: ElasticJobOptions = {
      servers: server.connectString,
      namespace: 'shop',
      logger: false,
    }
    const owner = await ElasticJob.connect({ ...options, digest: 'ops:secret' })
    await owner.stop()
    const wrong = await refusal(ElasticJob.connect({ ...options, digest: 'ops:wrong' }))
    expect(wrong).toMatchObject({ code: 'JOB_REGISTRY_REFUSED' })
    expect(String(wrong)).toContain(server.connectString)
    expect(String(wrong)).toContain('another identity than the option digest')
    const none = await refusal(ElasticJob.connect(options))
    expect(none).toMatchObject({ code: 'JOB_REGISTRY_REFUSED' })
    expect(String(none)).toContain('pass the option digest')
  })

  it('for the servers is told, with the option', async () => {
    await using server = await startServer({ port: 0 })
    const error = await refusal(
      ElasticJob.connect({
        servers: server.connectString,
        namespace: 'shop',
        sasl: { username: 'a', password: 'b' },
        logger: false,
      }),
    )
    expect(error).toMatchObject({ code: 'JOB_REGISTRY_REFUSED' })
    expect(String(error)).toContain('sasl')
  })
})

describe('a session timeout that is too short for a lease', () => {
  it('is raised, and told by an event and a line of the log', async () => {
    await using server = await startServer({ port: 0 })
    const lines: string[] = []
    const note = (line: string): void => void lines.push(line)
    await using jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      sessionTimeoutMilliseconds: 3000,
      logger: { debug: note, info: note, warn: note, error: note },
    })
    const [raised] = (await once(jobs, 'registry:timeout-raised')) as unknown[]
    expect(raised).toMatchObject({ requested: 3000, timeout: 6013 })
    expect(lines.join()).toContain('Session timeout raised from 3000 to 6013 ms')
  })

  it('is told by a client of its own, too', async () => {
    await using server = await startServer({ port: 0 })
    const client = new ZooKeeper({
      servers: server.connectString,
      sessionTimeout: 3000,
      lease: { serverTickTime: 2000 },
    })
    const raised = once(client, 'session:timeout-raised')
    await client.connect()
    expect((await raised)[0]).toMatchObject({ requested: 3000, timeout: 6013 })
    await client.close()
  })
})
