import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'

import { expect, test } from 'vitest'

import { anchorsOf, type FeatureRow, readFeatureTable } from './feature-table.ts'
import { problemsOfTest } from './linked-tests.ts'
import { readText, root } from './repository.ts'

/**
 * Every feature of Elastic-Job 1.x, 2.x and 3.x that is here, and words by which one of its tests is
 * named. Spring, etcd and the cloud edition are not among them.
 */
const features: Readonly<Record<string, string>> = {
  'simple-job': 'simple job',
  'multi-shard-context': 'all shards',
  'dataflow-one-off': 'one-off',
  'dataflow-streaming': 'streaming',
  'dataflow-throughput': 'THROUGHPUT',
  'dataflow-sequence': 'SEQUENCE',
  'dataflow-concurrency': 'concurrency',
  'dataflow-batch': 'in batches',
  'dataflow-individual': 'one by one',
  'fetch-data-count': 'fetch.data.count',
  offsets: 'offsets',
  'process-counts': 'counts',
  'script-job': 'script',
  'http-job': 'HTTP',
  'custom-runner': 'runner',
  'custom-job-type': 'a type of one’s own',
  yield: 'yield',

  cron: 'Quartz',
  'time-zone': 'zone',
  'one-off-job': 'one-off job',
  'manual-trigger': 'trigger',
  'trigger-server': 'trigger › runs the shards of one server',
  'live-reschedule': 'without a restart › cron',
  'pause-job': 'pause and resume › of a job',
  'pause-server': 'pause and resume › of a server',
  'pause-leader': 'make a leader step down',
  'pause-until-resumed': 'a pause › is lifted by an operator alone',
  misfire: 'misfire',
  'misfire-at-once': 'the moment it ends',
  'stop-interrupts': 'aborted runs',
  'fire-times': 'what is next',

  'shard-count': 'the number of shards',
  'item-parameters': 'shardingItemParameters',
  'job-parameter': 'jobParameter',
  'strategy-average': 'AVG_ALLOCATION',
  'strategy-odevity': 'ODEVITY',
  'strategy-round-robin': 'ROUND_ROBIN',
  'strategy-single-balance': 'SINGLE_SHARDING_BALANCE',
  'custom-strategy': 'a strategy of one’s own',
  'static-sharding': 'static sharding',
  label: 'label',
  'leader-election': 'become leader',
  resharding: 'resharding',
  'monitor-execution': 'monitorExecution',
  failover: 'failover',
  'failover-one-a-host': 'with one instance a host',
  'failover-twice': 'the taker dies',
  'failover-cold-start': 'all die and several return',
  'failover-completed': 'completed is never run again',
  reconcile: 'reconcile',
  'time-difference': 'maxTimeDiffSeconds',
  'shard-disable': 'a disabled shard',
  'server-disable': 'a disabled server',
  'instances-per-host': 'two instances on one host',
  'offline-servers': 'servers do not pile up',
  disconnects: 'a connection that is gone',

  listener: 'listeners',
  'listener-once': 'are told once',
  'listener-timeouts': 'waited for no longer',
  'listener-nodes': 'in the nodes of Java',
  'error-log': 'LOG',
  'error-throw': 'THROW',
  'error-ignore': 'IGNORE',
  'error-own': 'error handlers, by name › one’s own',
  'exception-callback': 'own callback',
  'error-email': 'EMAIL',
  'error-wechat': 'WECHAT',
  'error-dingtalk': 'DINGTALK',
  'error-properties': 'invalid properties',
  'live-error-handler': 'without a restart › the error handler',
  'pool-size': 'pool',
  'live-pool-size': 'without a restart › the size of the pool',

  overwrite: 'overwrites',
  'disabled-at-start': 'begin disabled',
  description: 'description',
  props: 'props',
  'extra-configurations': 'extensions',
  'job-conflict': 'conflict',
  'registry-servers': 'a list of servers',
  'registry-namespace': 'namespace',
  'registry-timeouts': 'timeouts',
  'registry-backoff': 'backoff',
  'registry-retries': 'maxRetries',
  'registry-digest': 'digest',
  'registry-sasl': 'proven by SASL',
  preload: 'preload',
  'embedded-server': 'startServer',
  'preferred-address': 'preference',
  'configuration-1x': '1.x',
  'configuration-2x': '2.x',
  'configuration-3x': 'what Java writes',
  'older-instances': 'as old versions make it',

  'configuration-get': 'as it is stored',
  'configuration-update': 'updateConfiguration',
  disable: 'disable and enable',
  shutdown: 'shutdown',
  'shutdown-is-no-crash': 'SHUTDOWN',
  remove: 'remove',
  'list-jobs': 'lists jobs',
  'list-servers': 'lists servers',
  'list-shards': 'who owns, leads and runs what',
  'job-states': 'jobStatus',
  'job-states-1x': 'legacyJobStatus',
  'server-states': 'serverStatus',
  'shard-states': 'shardStatus',
  'host-names': 'names of their hosts',
  'dump-port': 'the port of a process',
  'dump-port-of-a-job': 'the port of a job',
  'dump-masked': 'mask',
  'dump-differences': 'differs',
  'dump-api': 'dumps a job',

  'event-tracing': 'the sequence that Java writes',
  'tracing-in-registry': 'as Java instances of it do',
  'tracing-of-jobs': 'leaves out the jobs',
  'history-search': 'page by page',

  'console-rest': 'as the seed prints them',
  'console-roles': 'guests only where one looks',
  'console-login': 'outlasts a restart',
  'console-registries': 'each user chooses',
  'console-history': 'as 2.x asks for it',

  'java-mixed-job': 'Java joins a job',
  'java-failover': 'taken over by ours',
  'java-triggers': 'that of Java, once each',
  'java-operations': 'the operator of Java',
  'java-configuration': 'written by Java',
  'java-migration': 'instance after instance',
}

/** Features in whose place there is something else; their rows say what. */
const replaced: readonly string[] = [
  'custom-executor',
  'class-names',
  'pause-without-items',
  'quartz-scheduler',
  'single-item-turns',
  'failover-when-idle',
  'cleaning-phase',
  'registry-ensemble',
  'annotations',
]

const rows = readFeatureTable(readText('docs/features.md'))

test('docs/features.md has every feature, once, and no other', () => {
  const expected = [...Object.keys(features), ...replaced]
  expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
})

test.for(rows)('$id', (row) => {
  expect(problemsOf(row)).toEqual([])
})

test('whatever is wrong with a row is named', () => {
  const wrong: FeatureRow = {
    id: 'misfire',
    versions: '4',
    page: 'guarantees.md#no-such-heading',
    here: '',
    tests: [
      { name: 'misfire › that nobody tests', path: '../test/architecture/features.test.ts' },
      { name: 'any', path: '../no-such.test.ts' },
    ],
  }
  expect(problemsOf(wrong)).toEqual([
    'its versions are "4"',
    'docs/guarantees.md has no heading #no-such-heading',
    'test/architecture/features.test.ts has no test "misfire › that nobody tests"',
    'there is no no-such.test.ts',
    'it does not say how it is called here',
  ])
  expect(problemsOf({ ...wrong, versions: '1', page: 'none.md', here: 'yes', tests: [] })).toEqual([
    'there is no docs/none.md',
    'none of its tests is named after it: "misfire"',
  ])
  const none = { id: 'annotations', versions: '3', page: 'cron.md', here: 'yes', tests: [] }
  expect(problemsOf(none)).toEqual(['it does not say what takes its place'])
})

function problemsOf({ id, versions, page, here, tests }: FeatureRow): readonly string[] {
  const problems: string[] = []
  if (!/^[123](, [123])*$/.test(versions)) problems.push(`its versions are "${versions}"`)
  problems.push(...problemsOfPage(page), ...tests.flatMap(problemsOfTest))
  if (replaced.includes(id)) {
    if (!/^Instead, .{20,}\.$/.test(here)) problems.push('it does not say what takes its place')
    return problems
  }
  if (here === '' || here.startsWith('Instead')) {
    problems.push('it does not say how it is called here')
  }
  const states = features[id] ?? id
  if (!tests.some(({ name }) => name.toLowerCase().includes(states.toLowerCase()))) {
    problems.push(`none of its tests is named after it: "${states}"`)
  }
  return problems
}

function problemsOfPage(page: string | undefined): readonly string[] {
  if (page === undefined) return ['it has no page']
  const [name = '', anchor] = page.split('#')
  const path = posix.join('docs', name)
  if (!existsSync(join(root, path))) return [`there is no ${path}`]
  if (anchor === undefined || anchorsOf(readText(path)).has(anchor)) return []
  return [`${path} has no heading #${anchor}`]
}
