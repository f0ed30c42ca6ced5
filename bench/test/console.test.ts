import { expect, test } from 'vitest'

import { pageWeight, weightBehind } from '../console/page-weight.ts'
import {
  applicationCount,
  deadServersOf,
  jobName,
  type Node,
  nodesOf,
} from '../drivers/console/namespace.ts'
import { StreamReader } from '../drivers/console/stream-reader.ts'

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

test('a job is made with its parents first, and everything it has once', () => {
  const nodes = nodesOf('n', 7, 10, 0)
  const made = new Set(['/n', '/n.state/jobs', '/n.state/execution'])
  for (const { path } of nodes) {
    expect(made).toContain(parentOf(path))
    expect(made).not.toContain(path)
    made.add(path)
  }
  const shards = nodes.filter(({ path }) => /\/sharding\/\d+\/instance$/.test(path))
  const states = nodes.filter(({ path }) => /^\/n\.state\/execution\/[^/]+\/\d+$/.test(path))
  expect([shards.length, states.length]).toEqual([10, 10])
})

test('the instances of a job and its leader go with their session, and nothing else does', () => {
  const paths = nodesOf('n', 7, 2, 0)
    .filter(({ ephemeral }) => ephemeral === true)
    .map(({ path }) => path.split('/').slice(3, 4)[0])
  expect(paths).toEqual(['instances', 'instances', 'leader'])
})

test('dead servers are half in one job, half in the others of its application', () => {
  const nodes = deadServersOf('n', { jobs: 1000, shards: 10, deadServers: 5000 }).flat()
  const jobs = nodes.map(({ path }) => path.split('/')[2])
  expect(new Set(nodes.map(({ path }) => path)).size).toBe(5000)
  expect(jobs.filter((job) => job === jobName(0)).length).toBe(2500)
  expect(new Set(jobs).size).toBe(100)
  // One that was in all of those jobs died in all of them.
  expect(new Set(nodes.map(({ path }) => path.split('/').at(-1))).size).toBe(2500 + 26)
})

test.each([
  [0, []],
  [1, [1]],
  [4500, [2000, 2000, 500]],
])('%i dead servers are portions that a transaction can take', (deadServers, lengths) => {
  const portions = deadServersOf('n', { jobs: 1, shards: 1, deadServers })
  expect(portions.map((portion: Node[]) => portion.length)).toEqual(lengths)
})

test('a hundred jobs are an application', () => {
  const countOf = (jobs: number): number => applicationCount({ jobs, shards: 1, deadServers: 0 })
  expect([1, 100, 101].map(countOf)).toEqual([1, 1, 2])
})

test('a word is found in a stream wherever it is cut, and only after it was asked for', async () => {
  const reader = new StreamReader()
  reader.take(Buffer.from('data: first'))
  const found = { first: false, second: false }
  const first = reader.until('first').then(() => (found.first = true))
  const second = reader.until('second').then(() => (found.second = true))
  reader.take(Buffer.from(' data: sec'))
  await Promise.resolve()
  expect(found).toEqual({ first: false, second: false })
  reader.take(Buffer.from('ond first'))
  await Promise.all([first, second])
  expect(reader.bytes).toBe(30)
})

test('a page weighs what its document names, in the language of its reader', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text)
  const files = [
    { path: 'index.html', bytes: bytes('<script src="/assets/index-1.js">') },
    { path: 'assets/index-1.js', bytes: bytes('1') },
    { path: 'assets/en-1.js', bytes: bytes('en') },
    { path: 'assets/zh-1.js', bytes: bytes('作业') },
    { path: 'assets/rest-1.js', bytes: bytes('rest '.repeat(50)) },
    { path: 'assets/charts-1.js', bytes: bytes('charts '.repeat(100)) },
  ]
  const without = (path: string): number =>
    pageWeight(
      files.filter((file) => file.path !== path),
      'en',
    )
  const weight = pageWeight(files, 'en')
  expect(without('assets/charts-1.js')).toBe(weight)
  expect(without('assets/zh-1.js')).toBe(weight)
  expect(without('assets/rest-1.js')).toBe(weight)
  expect(without('assets/en-1.js')).toBeLessThan(weight)
  expect(without('assets/index-1.js')).toBeLessThan(weight)
  expect(weightBehind(files)).toBeGreaterThan(0)
  expect(weightBehind(files.filter(({ path }) => path !== 'assets/rest-1.js'))).toBe(0)
})
