import { describe, expect, it } from 'vitest'

import type { TreeNode } from '../../src/legacy/dump/read-tree.ts'
import { JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { type ImportPlan, JobNodes, planImport } from '../../src/operations/import-plan.ts'

const paths = new JobPaths('shop', new StatePaths('shop'), 'old')

function plan(texts: Readonly<Record<string, string>>): ImportPlan {
  const nodes = Object.entries(texts).map(([path, text], version): TreeNode => ({
    path: `${paths.root}${path}`,
    text,
    version,
  }))
  return planImport('old', new JobNodes(nodes, paths))
}

const fields = {
  '': '',
  '/config': '',
  '/config/shardingTotalCount': '1',
  '/config/cron': '* * * * * ?',
}

describe('planImport', () => {
  it('writes as a whole what was read, in the versions in which it was read', () => {
    const { parts } = plan({ ...fields, '/config/jobClass': 'x.Job', '/servers/1/disabled': '' })
    expect(parts.map(({ type, path }) => `${type} ${path}`)).toEqual([
      'check /shop/old/config/shardingTotalCount',
      'check /shop/old/config/cron',
      'check /shop/old/config/jobClass',
      'set /shop/old/config',
      'set /shop/old',
    ])
    expect(parts.map((part) => ('version' in part ? part.version : undefined))).toEqual([
      2, 3, 4, 1, 0,
    ])
  })

  it('lists nodes to remove so that each comes behind those below it', () => {
    const { oldNodes } = plan({
      ...fields,
      '/execution': '',
      '/execution/0': '',
      '/execution/0/running': '',
      '/leader/election/host': '10.0.0.1',
    })
    expect(oldNodes).toEqual([
      '/shop/old/config/shardingTotalCount',
      '/shop/old/config/cron',
      '/shop/old/execution/0/running',
      '/shop/old/execution/0',
      '/shop/old/execution',
      '/shop/old/leader/election/host',
    ])
  })

  it('keeps the last parameter of a shard that is named twice, as 1.x and 2.x do, and notes it', () => {
    const { configuration, yaml, notes } = plan({
      ...fields,
      '/config/shardingTotalCount': '2',
      '/config/shardingItemParameters': '0=A,1=C,0=B',
    })
    expect(configuration.shardingItemParameters).toBe('0=B,1=C')
    expect(yaml).toContain('shardingItemParameters: 0=B,1=C')
    expect(notes).toEqual([
      'shardingItemParameters names shard 0 more than once: its last parameter "B" is kept, which is the one that the old version used',
    ])
  })

  it('refuses parameters that no version could read', () => {
    const parameters = { '/config/shardingItemParameters': '0=A,0=B,x' }
    expect(() => plan({ ...fields, ...parameters })).toThrow('"x" is not of the form')
  })

  it('notes servers with a request of 1.x that nobody will answer', () => {
    const { notes } = plan({
      ...fields,
      '/servers': '',
      '/servers/10.0.0.1': '',
      '/servers/10.0.0.1/trigger': '',
      '/servers/10.0.0.2': '',
      '/servers/10.0.0.2/shutdown': '',
    })
    expect(notes).toEqual([
      'server 10.0.0.1 was asked to run the job now (trigger), which is not carried over: trigger the job once it is imported',
      'server 10.0.0.2 was shut down by an operator, which is not carried over: its instances take part again when they start',
    ])
  })

  it('takes a server of today for no living one of 1.x', () => {
    const nodes = {
      '': '',
      '/config': 'jobName: old\nshardingTotalCount: 1\n',
      '/servers': '',
      '/servers/10.0.0.1': 'ENABLED',
      '/instances': '',
      '/instances/10.0.0.1@-@5': 'jobInstanceId: 10.0.0.1@-@5\nserverIp: 10.0.0.1\n',
    }
    expect(plan(nodes)).toMatchObject({ form: 'today', living: [], parts: [], oldNodes: [] })
  })
})
