import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { ElasticJob, type ElasticJobError, isElasticJobError } from '@elasticjob/core'
import { describe, expect, test } from 'vitest'

/** A loopback port on which nobody listens: it was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function refusalOf(connecting: Promise<ElasticJob>): Promise<ElasticJobError> {
  const error: unknown = await connecting.then(
    async (jobs) => {
      await jobs.stop()
      return undefined
    },
    (reason: unknown) => reason,
  )
  if (isElasticJobError(error)) return error
  throw new Error('it was not refused with an ElasticJobError', { cause: error })
}

const howToGetOne = [
  '@elasticjob/zookeeper-server',
  "import { startServer } from '@elasticjob/zookeeper-server'",
  'await startServer({ port: 2181 })',
]

describe('without a registry', () => {
  test.for([
    ['nothing', {}],
    ['an empty text', { servers: '' }],
    ['an empty list', { servers: [] }],
    ["an empty text under Java's name", { serverLists: ' ' }],
  ] as const)('%s for servers is an error that says how to get one', async ([, options]) => {
    const error = await refusalOf(ElasticJob.connect({ ...options, namespace: 'shop' }))
    expect(error.code).toBe('JOB_REGISTRY_UNREACHABLE')
    expect(error.message).toContain('the option servers')
    for (const line of howToGetOne) expect(error.message).toContain(line)
  })

  test('servers that cannot be reached are named, with what they answered and how to get one', async () => {
    const port = await closedPort()
    const error = await refusalOf(
      ElasticJob.connect({
        servers: `127.0.0.1:${port}`,
        namespace: 'shop',
        connectionTimeoutMilliseconds: 200,
      }),
    )
    expect(error.code).toBe('JOB_REGISTRY_UNREACHABLE')
    expect(error.message).toContain(`"127.0.0.1:${port}"`)
    expect(error.message).toContain('ECONNREFUSED')
    for (const line of howToGetOne) expect(error.message).toContain(line)
    expect(error.cause).toMatchObject({
      code: 'REGISTRY_NOT_CONNECTED',
      cause: { code: 'ZK_CONNECT_FAILED' },
    })
  })
})
