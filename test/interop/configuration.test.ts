import type { JobOptions } from '@elasticjob/core'
import { byFire } from './run.ts'
import { besideJava, expect, it } from './support.ts'

/** Every key that both versions know, with a value that is not its default. */
const everyKey: Partial<JobOptions> = {
  cron: '0 0 0 1 1 ? 2099',
  timeZone: 'GMT+08:00',
  shardingItemParameters: '0=Beijing,1=Shanghai,2=广州',
  jobParameter: 'a=b, c: d # e',
  monitorExecution: true,
  failover: true,
  misfire: false,
  maxTimeDiffSeconds: 600,
  reconcileIntervalMinutes: 3,
  jobShardingStrategyType: 'ODEVITY',
  jobErrorHandlerType: 'IGNORE',
  jobListenerTypes: ['rounds'],
  description: 'orders, by city',
  props: { 'streaming.process': 'false', answer: '42', yes: 'no', empty: '' },
  disabled: false,
  overwrite: true,
  label: 'night',
  staticSharding: true,
}

/** Texts that YAML would take for something else, or has to write in another way. */
const oddTexts: readonly string[] = [
  '',
  ' ',
  'yes',
  'NO',
  'null',
  '~',
  '0x10',
  '017',
  '1_000',
  '1e3',
  '.5',
  '12:30:45',
  '2024-01-31',
  '2024-01-31 10:00:00',
  '- a',
  '? b',
  '# c',
  ': d',
  'e: f',
  'g #h',
  "it's",
  '"quoted"',
  '@at',
  '`tick`',
  '%percent',
  '{flow: [a, b]}',
  '!tag',
  '&anchor',
  '*alias',
  '|',
  '>',
  'trailing ',
  ' leading',
  'tab\tinside',
  'line\nline',
  'line\n\n  indented\nend\n',
  'carriage\r\nreturn',
  'emoji 😀, 广州, ñ',
  'word '.repeat(60),
  'x'.repeat(300),
  `${'long, with: colons '.repeat(10)}#end`,
]

function linesOf(text: string | undefined): readonly string[] {
  return text?.split('\n').toSorted() ?? []
}

/** Texts that Java writes as they are, or as bytes, and ours with escapes; each reads what the other writes. */
const unprintableTexts: readonly string[] = [
  '\u0000\u0007\u001b',
  '\u00a0\ufeff',
  '\u009f\ufffe',
  'line\u2028line',
  '\u2029ends with one\u2028',
  'lines\n\u2028\u2029: # of all kinds\n',
]

besideJava('a configuration that one writes and the other reads', () => {
  it(
    'written by Java with every key, it is read by ours as it was meant',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('by-java', everyKey)
      await java.start(job)
      const { configuration, warnings } = await operations.configuration(job.jobName)
      const { jobClass: _, ...meant } = job
      expect(configuration).toMatchObject(meant)
      expect(warnings).toEqual([])
      await ours.start({ ...job, overwrite: false })
    },
  )

  it(
    'written by ours with every key, it is what Java would have written',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('by-ours', everyKey)
      await ours.start(job)
      const written = await crew.read(job, 'config')
      // Properties have no order in Java.
      expect(linesOf(await java.configuration(job))).toEqual(linesOf(written))
      await java.start({ ...job, overwrite: false })
      expect(await crew.read(job, 'config')).toBe(written)
    },
  )

  it(
    'texts that look like something else stay what they are, whoever writes them',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('texts', { cron: '0 0 0 1 1 ? 2099' })
      await ours.start(job)
      for (const text of oddTexts) {
        const props = { [`key${text}`]: text }
        await operations.updateConfiguration(job.jobName, {
          jobParameter: text,
          description: text,
          props,
        })
        const byUs = await crew.read(job, 'config')
        const byJava = await java.configuration(job)
        expect(byJava, JSON.stringify(text)).toBe(byUs)
        await java.update(job.jobName, byJava)
        const { configuration } = await operations.configuration(job.jobName)
        expect(configuration).toMatchObject({ jobParameter: text, description: text, props })
      }
    },
  )

  it(
    'texts that cannot be printed are read by each as the other has meant them',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('unprintable', { cron: '0 0 0 1 1 ? 2099' })
      await ours.start(job)
      for (const text of unprintableTexts) {
        await operations.updateConfiguration(job.jobName, { jobParameter: text, props: { text } })
        // Read and written anew by Java.
        await java.update(job.jobName, await java.configuration(job))
        const { configuration } = await operations.configuration(job.jobName)
        expect(configuration).toMatchObject({ jobParameter: text, props: { text } })
      }
    },
  )

  it(
    'what only Java understands is written by ours for it, too',
    { tags: ['short'] },
    async ({ crew }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const tracing = [
        '!!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration',
        'tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration',
        '  dataSourceClassName: com.zaxxer.hikari.HikariDataSource',
        '  props:',
        '    jdbcUrl: jdbc:h2:mem:trace',
        'type: RDB',
      ].join('\n')
      const job = crew.job('extras-by-ours', {
        cron: '0 0 0 1 1 ? 2099',
        jobExtraConfigurations: [tracing],
      })
      await ours.start(job)
      expect(await java.configuration(job)).toBe(await crew.read(job, 'config'))
    },
  )

  it(
    'a change by either is in effect for both at the next fire',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('changes', { cron: '0 0 0 1 1 ? 2099', jobParameter: 'before' })
      const ids = [await ours.start(job), await java.start(job)]
      await operations.updateConfiguration(job.jobName, { cron: '0/3 * * * * ?' })
      await crew.untilAssignedTo(job, ...ids)
      const both = await crew.untilRuns(job)
      expect(new Set(both.map(({ kind }) => kind)).size).toBe(2)

      const written = await java.configuration(job)
      const changed = written
        .replace('0/3 * * * * ?', '1/3 * * * * ?')
        .replace("shardingItemParameters: ''", 'shardingItemParameters: 0=a,1=b,2=c,3=d')
      expect(changed).not.toBe(written)
      await java.update(job.jobName, changed)
      const later = await crew.journal.until('both run at the new times', () =>
        [...byFire(crew.journal.runsOf(job.jobName)).entries()].find(
          ([fire, runs]) => fire % 3000 === 1000 && runs.length === 4,
        ),
      )
      const runs = later[1].toSorted((one, other) => one.shard - other.shard)
      expect(runs.map(({ parameter }) => parameter)).toEqual(['a', 'b', 'c', 'd'])
      expect(new Set(runs.map(({ kind }) => kind)).size).toBe(2)
    },
  )

  it(
    'what only Java understands outlives a change by ours',
    { tags: ['short'] },
    async ({ crew, operations }) => {
      const [java, ours] = await crew.take('java 1', 'ours 1')
      const job = crew.job('extras', { cron: '0 0 0 1 1 ? 2099' })
      await ours.start(job)
      const plain = await java.configuration(job)
      const extras = [
        'jobExecutorServiceHandlerType: SINGLE_THREAD',
        'jobExtraConfigurations:',
        '- !!org.apache.shardingsphere.elasticjob.tracing.yaml.YamlTracingConfiguration',
        '  tracingStorageConfiguration: !!org.apache.shardingsphere.elasticjob.tracing.rdb.yaml.YamlDataSourceConfiguration',
        '    dataSourceClassName: com.zaxxer.hikari.HikariDataSource',
        '    props:',
        "      jdbcUrl: 'jdbc:h2:mem:trace'",
        '  type: RDB',
        '',
      ].join('\n')
      await java.update(job.jobName, `${plain}${extras}`)
      const before = await java.configuration(job)
      expect(before).toContain('YamlTracingConfiguration')
      await operations.updateConfiguration(job.jobName, { description: 'changed' })
      expect(await java.configuration(job)).toBe(
        before.replace("description: ''", 'description: changed'),
      )
      const { configuration } = await operations.configuration(job.jobName)
      expect(configuration.jobExecutorThreadPoolSizeProviderType).toBe('SINGLE_THREAD')
    },
  )
})
