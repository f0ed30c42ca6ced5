/** Every command without a registry, and with one that dies in the middle. */
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'
import { registryCommands } from '../support/commands.ts'
import { DyingRegistry } from '../support/dying-registry.ts'

/** Long enough for a busy machine to make a connection, which is all that has to be in time. */
const quickly = ['--namespace', 'cli', '--timeout', '3']

describe.concurrent('nothing says where it is', () => {
  test('how to say it is told', async ({ expect }) => {
    const { code, stderr } = await elasticjob(['jobs'], { cwd: '/' })
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /--servers[^]*ELASTICJOB_SERVERS[^]*elasticjob\.yaml[^]*`elasticjob zookeeper`/,
    )
  })

  test('nor which namespace is meant', async ({ expect }) => {
    const { code, stderr } = await elasticjob(['jobs', '--servers', 'x:1'], { cwd: '/' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/--namespace[^]*ELASTICJOB_NAMESPACE/)
  })
})

describe.concurrent('nobody is there', () => {
  const nowhere = ['--servers', '127.0.0.1:1', ...quickly]

  test.for(registryCommands)(
    '$name says which address was tried, for how long, and what to do',
    async ({ args }, { expect }) => {
      const { code, stdout, stderr } = await elasticjob([...args, ...nowhere])
      expect([code, stdout]).toEqual([4, ''])
      expect(stderr).toContain('127.0.0.1:1 could be reached within 3 s')
      expect(stderr).toContain('ECONNREFUSED')
      expect(stderr).toContain('`elasticjob zookeeper` starts one')
    },
  )

  test('as JSON', async ({ expect }) => {
    const { code, stderr } = await elasticjob(['jobs', '--json', ...nowhere])
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'CLI_REGISTRY_UNREACHABLE', exitCode: 4 },
    })
  })
})

describe.concurrent('it dies in the middle', () => {
  let server: RunningServer

  beforeAll(async () => {
    server = await startServer({ port: 0 })
  })
  afterAll(async () => {
    await server.stop()
  })

  test.for(registryCommands)(
    '$name ends soon, and says that nobody knows what came of it',
    async ({ args }, { expect }) => {
      const dying = await DyingRegistry.start(server.port, 0)
      const registry = ['--servers', dying.servers, ...quickly]
      const { code, stdout, stderr } = await elasticjob([...args, ...registry])
      dying.die()
      expect([code, stdout]).toEqual([4, ''])
      expect(stderr).toContain(`the connection to the registry was lost: ${dying.servers}`)
      expect(stderr).toContain('may or may not have been made')
    },
  )

  test('as JSON', async ({ expect }) => {
    const dying = await DyingRegistry.start(server.port, 0)
    const registry = ['--servers', dying.servers, ...quickly]
    const { code, stderr } = await elasticjob(['jobs', '--json', ...registry])
    dying.die()
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CLI_REGISTRY_LOST', exitCode: 4 } })
  })
})
