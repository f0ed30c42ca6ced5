import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { toText, ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { resolveRegistry } from '../../src/config/resolve-registry.ts'
import { ElasticJob, preloadRegistry, type RegistryOptions } from '../../src/index.ts'
import { preload, readPreload } from '../../src/legacy/preload.ts'
import type { RegistryClient } from '../../src/registry/registry-client.ts'
import { registryOn } from '../support/registry-on.ts'

let folder: string
let server: RunningServer
let client: ZooKeeper

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elasticjob-preload-'))
  server = await startServer({ port: 0 })
  client = await ZooKeeper.connect({ servers: server.connectString })
})

afterEach(async () => {
  await client.close()
  await server.stop()
  await rm(folder, { recursive: true })
})

const options = (more: Partial<RegistryOptions> = {}): RegistryOptions => ({
  servers: server.connectString,
  namespace: 'shop',
  ...more,
})

async function file(text: string): Promise<string> {
  const path = join(folder, 'local.properties')
  await writeFile(path, text)
  return path
}

async function textAt(path: string): Promise<string> {
  return toText((await client.get(path)).data)
}

describe('preloadRegistry', () => {
  it('creates what is missing, and what is missing above it', async () => {
    const path = await file('/test=test\n/test/deep/nested=deepNested\n/test/child=\\u4e2d')
    const result = await preloadRegistry(options(), path)
    expect(result).toEqual({
      created: ['/test', '/test/deep/nested', '/test/child'],
      overwritten: [],
      kept: [],
    })
    expect(await textAt('/shop/test')).toBe('test')
    expect(await textAt('/shop/test/deep')).toBe('')
    expect(await textAt('/shop/test/deep/nested')).toBe('deepNested')
    expect(await textAt('/shop/test/child')).toBe('中')
  })

  it('leaves values alone, and fills those that are empty', async () => {
    await client.create('/shop/test', 'mine', { parents: true })
    await client.create('/shop/test/empty', '')
    const path = await file('/test=theirs\n/test/empty=filled\n/new=new')
    expect(await preloadRegistry(options(), path)).toEqual({
      created: ['/new'],
      overwritten: ['/test/empty'],
      kept: ['/test'],
    })
    expect(await textAt('/shop/test')).toBe('mine')
    expect(await textAt('/shop/test/empty')).toBe('filled')
  })

  it('overwrites if it is asked to, and writes nothing that is so already', async () => {
    await client.create('/shop/test', 'mine', { parents: true })
    const path = await file('/test=theirs\n/new=new')
    const overwriting = options({ localPropertiesOverwrite: true })
    expect(await preloadRegistry(overwriting, path)).toMatchObject({ overwritten: ['/test'] })
    expect(await preloadRegistry(overwriting, path)).toEqual({
      created: [],
      overwritten: [],
      kept: ['/test', '/new'],
    })
    const { data, stat } = await client.get('/shop/test')
    expect([toText(data), stat.version]).toEqual(['theirs', 1])
  })

  it('creates nodes for its user alone if there is a digest', async () => {
    await preloadRegistry(options({ digest: 'ops:secret' }), await file('/test=1'))
    await expect(client.get('/shop/test')).rejects.toThrow('NO_AUTH')
  })

  it('writes nothing at all if one key cannot be', async () => {
    const path = await file(
      [
        '/good=1',
        'bad=2',
        '/a//b=3',
        '/ends/=4',
        '/=5',
        '/job/config=no mapping',
        '/other/config=jobName: job\\nshardingTotalCount: 1',
        '/half=\\uD83D',
      ].join('\n'),
    )
    const error: unknown = await preloadRegistry(options(), path).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'JOB_CONFIGURATION_INVALID' })
    expect((error as { problems: { key: string }[] }).problems.map(({ key }) => key)).toEqual([
      'bad',
      '/a//b',
      '/ends/',
      '/',
      '/job/config',
      '/other/config',
      '/half',
    ])
    expect(String(error)).toContain('bad: it must begin with "/"')
    expect(String(error)).toContain('(line 2)')
    expect(await client.exists('/shop')).toBeUndefined()
  })

  it('writes nothing at all if it is too much for one transaction', async () => {
    const half = 'x'.repeat(300 * 1024)
    const path = await file(`/small=1\n/a=${half}\n/b=${half}`)
    await expect(preloadRegistry(options(), path)).rejects.toMatchObject({
      code: 'JOB_TRANSACTION_TOO_LARGE',
    })
    expect(await client.exists('/shop')).toBeUndefined()
  })

  it('says so if there is no such file, before it connects to anything', async () => {
    const path = join(folder, 'none.properties')
    const nowhere = options({ servers: '127.0.0.1:1' })
    await expect(preloadRegistry(nowhere, path)).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
    })
  })

  it('holds against others who do the same at the same time', async () => {
    const path = await file('/test=1\n/test/deep/nested=2\n/other=3')
    const results = await Promise.all(
      Array.from({ length: 5 }, () => preloadRegistry(options(), path)),
    )
    expect(results.filter(({ created }) => created.length > 0)).toHaveLength(1)
    expect(results.filter(({ kept }) => kept.length === 3)).toHaveLength(4)
  })
})

describe('preload', () => {
  it('looks again when somebody was quicker, and gives up on those who never stop', async () => {
    const path = await file('/test=theirs')
    const registry = resolveRegistry(
      options({ localPropertiesPath: path, localPropertiesOverwrite: true }),
    )
    const properties = await readPreload(path, 'shop')
    await client.create('/shop/test', '', { parents: true })
    let changes = 0
    const reached = registryOn(client)
    const hurried: Pick<RegistryClient, 'read' | 'transact'> = {
      read: (parts) => reached.read(parts),
      transact: async (parts) => {
        if (changes > 0) await client.set('/shop/test', `changed ${changes--}`)
        return reached.transact(parts)
      },
    }
    changes = 3
    expect(await preload(hurried, registry, properties)).toMatchObject({ overwritten: ['/test'] })
    expect(await textAt('/shop/test')).toBe('theirs')
    await client.set('/shop/test', 'other')
    changes = Infinity
    await expect(preload(hurried, registry, properties)).rejects.toMatchObject({
      code: 'JOB_CONFLICT',
    })
  })
})

describe('localPropertiesPath', () => {
  it('fills the registry before the first job begins', async () => {
    const path = await file('/sync/config=jobName: sync\\nshardingTotalCount: 7\\n')
    await using jobs = await ElasticJob.connect({
      ...options({ localPropertiesPath: path }),
      logger: false,
      drainOnSignals: false,
    })
    const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1 }, async () => {})
    expect(job.configuration.shardingTotalCount).toBe(7)
  })

  it('keeps an instance from starting if it cannot be read', async () => {
    const connecting = ElasticJob.connect({
      ...options({ localPropertiesPath: join(folder, 'none') }),
      logger: false,
      drainOnSignals: false,
    })
    await expect(connecting).rejects.toMatchObject({ code: 'JOB_CONFIGURATION_UNREADABLE' })
  })
})
