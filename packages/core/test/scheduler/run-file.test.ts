import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ZooKeeper } from '@elasticjob/zookeeper'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ElasticJob } from '../../src/index.ts'
import { runElasticJobFile } from '../../src/scheduler/run-file.ts'
import { askPort } from '../support/ask-port.ts'

let folder: string
let server: RunningServer
let jobs: ElasticJob | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elasticjob-run-file-'))
  server = await startServer({ port: 0 })
})

afterEach(async () => {
  await jobs?.stop()
  jobs = undefined
  await server.stop()
  await rm(folder, { recursive: true })
})

const quiet = { logger: false, drainOnSignals: false } as const

async function write(text: string): Promise<string> {
  const path = join(folder, 'elasticjob.yaml')
  await writeFile(path, text)
  return path
}

const registry = (): string => `
registry:
  servers: ["${server.connectString}"]
  namespace: file
`

async function problemOf(text: string): Promise<string> {
  const path = await write(text)
  return runElasticJobFile(path, quiet).then(
    () => 'none',
    (error: unknown) => String(error),
  )
}

describe('runElasticJobFile', () => {
  it('runs what the file says: a type that is described by properties, and a module', async () => {
    const output = join(folder, 'output')
    await writeFile(
      join(folder, 'jobs.mjs'),
      `export async function greet({ jobParameter, shardingItem }) {
        if (shardingItem === 1 && jobParameter === 'hello') globalThis.greeted?.()
      }
      export default async () => {}`,
    )
    const path = await write(`${registry()}
jobs:
  echo:
    cron: 0/1 * * * * ?
    shardingTotalCount: 1
    jobType: SCRIPT
    props:
      script.command.line: /bin/sh -c "echo written >> ${output}"
  greeting:
    cron: 0/1 * * * * ?
    shardingTotalCount: 2
    jobParameter: hello
    module: ./jobs.mjs#greet
  usual:
    cron: 0 0 0 1 1 ?
    shardingTotalCount: 1
    module: ./jobs.mjs
`)
    const greeted = new Promise<void>((resolve) => {
      Object.assign(globalThis, { greeted: resolve })
    })
    jobs = await runElasticJobFile(path, quiet)
    expect([...jobs.jobNames].toSorted()).toEqual(['echo', 'greeting', 'usual'])
    await greeted
    for (;;) {
      const [run] = (await once(jobs, 'run:completed')) as [{ jobName: string; outcome: string }]
      if (run.jobName !== 'echo') continue
      expect(run.outcome).toBe('success')
      break
    }
    expect(await readFile(output, 'utf8')).toContain('written')
  })

  it('the options go before what the file says of the registry', async () => {
    const path = await write(
      `${registry()}\njobs:\n  one:\n    cron: 0 0 0 1 1 ?\n    shardingTotalCount: 1\n    jobType: SCRIPT\n    props: { script.command.line: 'true' }\n`,
    )
    jobs = await runElasticJobFile(path, { ...quiet, namespace: 'another' })
    const client = await ZooKeeper.connect({ servers: server.connectString })
    expect(await client.exists('/another/one')).toBeDefined()
    expect(await client.exists('/file/one')).toBeUndefined()
    await client.close()
  })

  it('fills the registry from a file beside it, and opens the port for dumps', async () => {
    await writeFile(join(folder, 'local.properties'), '/one/offset/0=row 42')
    const path = await write(
      `${registry()}  localPropertiesPath: local.properties\ndump:\n  port: 0\njobs:\n  one:\n    shardingTotalCount: 1\n    jobType: SCRIPT\n    props: { script.command.line: 'true' }\n`,
    )
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)
    const logger = { debug: () => {}, info: say, warn: say, error: say }
    jobs = await runElasticJobFile(path, { ...quiet, logger })
    const [, port] = /can be had at 127\.0\.0\.1:(\d+)/.exec(lines.join()) ?? []
    expect(await askPort(Number(port), 'dump@one')).toContain('/one/offset/0 | row 42\n')
  })

  it('tells what means nothing here, unless nobody wants to hear', async () => {
    const text = `${registry()}\njobs:\n  one:\n    cron: 0 0 0 1 1 ?\n    shardingTotalCount: 1\n    jobBootstrapBeanName: bean\n    jobType: SCRIPT\n    props: { script.command.line: 'true' }\n`
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)
    const logger = { debug: () => {}, info: () => {}, warn: say, error: say }
    jobs = await runElasticJobFile(await write(text), { ...quiet, logger })
    expect(lines).toEqual([expect.stringContaining('there are no beans here')])
  })

  it.each([
    ['a job with nothing to run', '', 'it says nothing of what to run'],
    ['a module that is not there', 'module: ./absent.mjs', './absent.mjs cannot be loaded'],
    ['an export that is not there', 'module: ./jobs.mjs#absent', 'exports no "absent"'],
    ['one that is no job', 'module: ./jobs.mjs#number', 'exports no "number"'],
  ])('refuses %s, before anything runs', async (_, line, message) => {
    await writeFile(
      join(folder, 'jobs.mjs'),
      'export const number = 1\nexport const job = () => {}',
    )
    const text = `${registry()}
jobs:
  fine:
    cron: 0/1 * * * * ?
    shardingTotalCount: 1
    module: ./jobs.mjs#job
  wrong:
    cron: 0/1 * * * * ?
    shardingTotalCount: 1
    ${line}
`
    expect(await problemOf(text)).toContain(message)
    const client = await ZooKeeper.connect({ servers: server.connectString })
    expect(await client.exists('/file')).toBeUndefined()
    await client.close()
  })

  it('stops everything if one of the jobs cannot be scheduled', async () => {
    await writeFile(join(folder, 'jobs.mjs'), 'export default async () => {}')
    const text = `${registry()}
jobs:
  fine:
    cron: 0/1 * * * * ?
    shardingTotalCount: 1
    module: ./jobs.mjs
  wrong:
    cron: 0/1 * * * * ?
    shardingTotalCount: 1
    jobShardingStrategyType: UNHEARD_OF
    module: ./jobs.mjs
`
    expect(await problemOf(text)).toContain('UNHEARD_OF')
    const client = await ZooKeeper.connect({ servers: server.connectString })
    expect((await client.children('/file/fine/instances')).children).toEqual([])
    await client.close()
  })

  it('says that a file cannot be read, and where it is wrong', async () => {
    await expect(runElasticJobFile(join(folder, 'absent.yaml'), quiet)).rejects.toMatchObject({
      code: 'JOB_CONFIGURATION_UNREADABLE',
    })
    expect(await problemOf('registry:\n  servers: [a\n')).toContain('line')
    expect(await problemOf(`${registry()}\njobs:\n  one:\n    corn: x\n`)).toContain('corn')
  })

  it('needs a registry from somewhere', async () => {
    expect(await problemOf('jobs: {}\n')).toMatch(/servers|namespace/)
  })
})

describe('what is done beside running jobs', () => {
  const text = (): string => `${registry()}
beside: { colour: red }
jobs:
  idle: { shardingTotalCount: 1, jobType: SCRIPT, props: { script.command.line: 'true' } }
`

  it('begins with its sections before the first job does', async () => {
    const seen: unknown[] = []
    jobs = await runElasticJobFile(await write(text()), quiet, {
      sections: ['beside'],
      connected: (connected, { sections }) => {
        seen.push(sections, [...connected.jobNames])
      },
    })
    expect(seen).toEqual([{ beside: { colour: 'red' } }, []])
    expect(jobs.configurationOf('idle')).toMatchObject({ jobName: 'idle', shardingTotalCount: 1 })
    expect(jobs.configurationOf('other')).toBeUndefined()
  })

  it('leaves nothing behind if it fails', async () => {
    const failing = runElasticJobFile(await write(text()), quiet, {
      sections: ['beside'],
      connected: () => Promise.reject(new Error('not red')),
    })
    await expect(failing).rejects.toThrow('not red')
  })
})
