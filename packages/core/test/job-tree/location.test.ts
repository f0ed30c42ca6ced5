import { describe, expect, it } from 'vitest'

import { folders, shardNumber, locate, type Location } from '../../src/job-tree/location.ts'
import { shardMarks, JobPaths, StatePaths } from '../../src/job-tree/paths.ts'
import { x } from '../tree.ts'

const paths = new JobPaths('ns', new StatePaths('ns'), 'job')
const relative = (path: string): string => path.slice(paths.root.length + 1)

describe('locate', () => {
  it.each<readonly [string, Location]>([
    [paths.config, { kind: 'config' }],
    [paths.leaderInstance, { kind: 'leader' }],
    [paths.assignment, { kind: 'epoch' }],
    [paths.necessary, { kind: 'necessary' }],
    [paths.processing, { kind: 'processing' }],
    [paths.instance(x), { kind: 'instance', instance: x }],
    [paths.trigger(x), { kind: 'trigger', instance: x }],
    [paths.server('10.0.0.1'), { kind: 'server', ip: '10.0.0.1' }],
    [paths.shard(12), { kind: 'shard', shard: 12 }],
    [paths.owner(0), { kind: 'owner', shard: 0 }],
    [paths.failoverShard(3), { kind: 'failoverShard', shard: 3 }],
    ...shardMarks.map((mark) => [paths.mark(7, mark), { kind: 'mark', shard: 7, mark }] as const),
  ])('knows what %s stands for', (path, location) => {
    expect(locate(relative(path))).toEqual(location)
  })

  it('knows the folders that others need as parents', () => {
    for (const path of folders) expect(locate(path)).toEqual({ kind: 'folder', path })
    for (const path of [
      paths.instances,
      paths.servers,
      paths.shards,
      paths.triggers,
      paths.offsets,
    ]) {
      expect(folders).toContain(relative(path))
    }
  })

  it.each([
    'leader/election/latch',
    'leader/election/latch/_c_1-latch-0000000001',
    'leader/failover/latch/_c_1',
    'offset/3',
    'guarantee/started/0',
    'instances/a/b',
    'servers/10.0.0.1/old',
    'trigger/a/b',
    'sharding/0/running/deeper',
    'sharding/0/unknown',
    'sharding/x',
    'sharding/01/instance',
    'leader/failover/items/x',
    'configuration',
    'config/old',
  ])('tells by the path alone that no plan looks at %s', (path) => {
    expect(locate(path)).toBeUndefined()
  })

  it('takes the name of a job for a name, whatever expression it looks like', () => {
    const odd = new JobPaths('ns', new StatePaths('ns'), 'a.*[b]+(c)?')
    expect(locate(odd.owner(1).slice(odd.root.length + 1))).toEqual({ kind: 'owner', shard: 1 })
  })
})

describe('shardNumber', () => {
  it('is the number of a shard as Java writes it', () => {
    expect(['0', '9', '10', '123456789'].map(shardNumber)).toEqual([0, 9, 10, 123456789])
  })

  it('is nothing for any other name', () => {
    for (const name of ['', '-1', '01', '1.5', ' 1', '1e3', '1234567890', 'x', '١']) {
      expect(shardNumber(name)).toBeUndefined()
    }
  })
})
