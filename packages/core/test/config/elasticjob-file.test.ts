import { describe, expect, it } from 'vitest'

import { type ElasticJobFile, readElasticJobFile } from '../../src/config/elasticjob-file.ts'
import { jobDefaults } from '../../src/config/job-configuration.ts'
import { ConfigurationError, isElasticJobError } from '../../src/errors.ts'

function read(text: string, environment: Record<string, string> = {}): ElasticJobFile {
  return readElasticJobFile(text, { environment, source: 'elasticjob.yaml' })
}

function problemsOf(text: string, environment: Record<string, string> = {}): string[] {
  try {
    read(text, environment)
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.problems.map(({ key, message }) => `${key}: ${message}`)
    }
    throw error
  }
  return []
}

const shop = `
registry:
  servers: [zk1:2181, zk2:2181]
  namespace: \${NAMESPACE:-shop}
  digest: \${ZK_USER}:\${ZK_PASSWORD}
  sessionTimeoutMilliseconds: 20000
jobs:
  sync-orders:
    cron: 0/10 * * * * ?
    shardingTotalCount: \${SHARDS}
    shardingItemParameters:
      0: Beijing
      1: \${CITY}
    failover: yes
    module: ./jobs/sync.ts#syncOrders
  clean-up:
    cron: "0 0 3 * * ?"
    sharding-total-count: 1
    jobType: SCRIPT
    props:
      script.command.line: echo $$HOME \${CITY}
      answer: 0x2A
      flag: \${FLAG}
`
const environment = {
  ZK_USER: 'me',
  ZK_PASSWORD: 'pa:ss#word',
  SHARDS: '2',
  CITY: 'Shanghai',
  FLAG: 'yes',
}

describe('readElasticJobFile', () => {
  it('reads the registry and the jobs, with variables put in', () => {
    const { registry, jobs, warnings } = read(shop, environment)
    expect(warnings).toEqual([])
    expect(registry).toEqual({
      servers: ['zk1:2181', 'zk2:2181'],
      namespace: 'shop',
      digest: 'me:pa:ss#word',
      sessionTimeoutMilliseconds: 20_000,
    })
    expect(jobs).toEqual([
      {
        configuration: {
          ...jobDefaults,
          jobName: 'sync-orders',
          cron: '0/10 * * * * ?',
          shardingTotalCount: 2,
          shardingItemParameters: '0=Beijing,1=Shanghai',
          failover: true,
        },
        jobClass: undefined,
        jobType: undefined,
        module: { path: './jobs/sync.ts', exportName: 'syncOrders' },
      },
      {
        configuration: {
          ...jobDefaults,
          jobName: 'clean-up',
          cron: '0 0 3 * * ?',
          shardingTotalCount: 1,
          props: { 'script.command.line': 'echo $HOME Shanghai', answer: '42', flag: 'yes' },
        },
        jobClass: undefined,
        jobType: 'SCRIPT',
        module: undefined,
      },
    ])
  })

  it("reads Spring Boot's shape, and says what of it means nothing here", () => {
    const { registry, jobs, warnings } = read(`
spring: {datasource: {url: x}}
elasticjob:
  tracing: {type: RDB}
  reg-center:
    server-lists: localhost:2181
    namespace: spring
    base-sleep-time-milliseconds: 500
    ensemble-tracker: true
  jobs:
    printJob:
      elasticJobType: PRINT
      jobBootstrapBeanName: printBean
      shardingTotalCount: 3
      shardingItemParameters: 0=a,1=b
      jobListenerTypes: NOOP, LOG
      props:
        dingtalk:
          webhook: http://x
          connect: {timeout: 3000}
    classJob:
      elasticJobClass: com.example.MyJob
      shardingTotalCount: 1
      jobListenerTypes:
        - NOOP
`)
    expect(registry).toEqual({
      serverLists: 'localhost:2181',
      namespace: 'spring',
      baseSleepTimeMilliseconds: 500,
    })
    expect(jobs[0]).toMatchObject({
      jobType: 'PRINT',
      configuration: {
        jobName: 'printJob',
        shardingItemParameters: '0=a,1=b',
        jobListenerTypes: ['NOOP', 'LOG'],
        props: { 'dingtalk.webhook': 'http://x', 'dingtalk.connect.timeout': '3000' },
      },
    })
    expect(jobs[1]).toMatchObject({
      jobClass: 'com.example.MyJob',
      configuration: { jobListenerTypes: ['NOOP'] },
    })
    expect(warnings).toEqual([
      'elasticjob.tracing: this section means nothing here (line 4)',
      'elasticjob.reg-center.ensemble-tracker: changes of the ensemble are not followed (line 9)',
      'elasticjob.jobs.printJob.jobBootstrapBeanName: there are no beans here (line 13)',
    ])
  })

  it('reads where dumps can be had, in both shapes', () => {
    expect(read('elasticjob: {dump: {port: 9888}}').dump).toEqual({ port: 9888 })
    const text = 'dump: {port: "0", host: 0.0.0.0, token: "${TOKEN}"}'
    const dump = { port: 0, host: '0.0.0.0', token: 'open-sesame' }
    expect(read(text, { TOKEN: 'open-sesame' }).dump).toEqual(dump)
    expect(read('jobs: {}').dump).toBeUndefined()
    expect(problemsOf('dump:\n  port: x\n  host: 0.0.0.0\n  hots: y')).toEqual([
      'dump.port: it must be a whole number from 0 to 65535, not x (line 2)',
      'dump.hots: there is no such option (did you mean "host"?) (line 4)',
      expect.stringContaining('dump.token: it is missing'),
    ])
  })

  it('reads what the registry is filled from', () => {
    const text =
      'registry: {namespace: a, localPropertiesPath: b.properties, localPropertiesOverwrite: yes}'
    expect(read(text).registry).toEqual({
      namespace: 'a',
      localPropertiesPath: 'b.properties',
      localPropertiesOverwrite: true,
    })
  })

  it('reads the user for SASL', () => {
    const text = 'registry: {namespace: a, sasl: {username: bob, password: "${SECRET}"}}'
    expect(read(text, { SECRET: 'bobsecret' }).registry).toEqual({
      namespace: 'a',
      sasl: { username: 'bob', password: 'bobsecret' },
    })
    expect(problemsOf('registry:\n  namespace: a\n  sasl: bob:secret')).toEqual([
      'registry.sasl: it must be a username and a password (line 3)',
    ])
  })

  it('may have one section only', () => {
    expect(read('registry: {namespace: a, tls: {ca: b}}')).toMatchObject({
      registry: { namespace: 'a', tls: { ca: 'b' } },
      jobs: [],
    })
    expect(read('jobs: {}').registry).toBeUndefined()
    expect(read('jobs:').jobs).toEqual([])
  })

  it('finds everything that is wrong, with its path and its line', () => {
    const problems = problemsOf(`registry:
  servers: \${ZK}
  sessionTimeoutMilliseconds: soon
  name: shop
jobs:
  sync-orders:
    cron: every day
    shardingTotalCount: none
    failover: maybe
    propps: {}
  other:
    jobName: another
    module: ./a.ts
    jobType: HTTP
    props:
      a: \${TOKEN}
  empty:
cron: x
`)
    expect(problems).toEqual([
      'cron: there is no such section (line 18)',
      'registry.servers: the environment variable ZK is not set; set it, or write ${ZK:-otherwise} (line 2)',
      'registry.sessionTimeoutMilliseconds: it must be a whole number from 0 on, not soon (line 3)',
      'registry.name: there is no such option (line 4)',
      'registry.namespace: it is missing: the node below which jobs stand (line 1)',
      expect.stringMatching(/^jobs\.sync-orders\.cron: "every day": .* \(line 7\)$/),
      'jobs.sync-orders.shardingTotalCount: it must be a whole number from 1 to 10000, not "none" (line 8)',
      'jobs.sync-orders.failover: it must be true or false, not "maybe" (line 9)',
      'jobs.sync-orders.propps: there is no such option (did you mean "props"?) (line 10)',
      'jobs.other.jobName: the job is called "other" by its key (line 12)',
      'jobs.other.props.a: the environment variable TOKEN is not set; set it, or write ${TOKEN:-otherwise} (line 16)',
      'jobs.other.shardingTotalCount: it is missing (line 11)',
      'jobs.other: it has a type and a module; one of them runs the job (line 11)',
      'jobs.empty.shardingTotalCount: it is missing (line 17)',
    ])
  })

  it.each([
    ['jobs: [a]', 'jobs: it must be a mapping of keys to values (line 1)'],
    ['jobs: {a: 5}', 'jobs.a: it must be a mapping of keys to values (line 1)'],
    ['jobs: {a/b: {shardingTotalCount: 1}}', 'jobs.a/b.jobName: it contains "/"'],
    ['jobs: {a: {shardingTotalCount: 1, module: [x]}}', 'jobs.a.module: it must be a text'],
    ['jobs: {a: {shardingTotalCount: 1, jobExtraConfigurations: x}}', 'it must be a list (line 1)'],
    ['jobs: {a: {shardingTotalCount: 1, cron: [x]}}', 'jobs.a.cron: it must be a text, not a list'],
    ['regsitry: {}', 'regsitry: there is no such section (did you mean "registry"?)'],
  ])('refuses %s', (text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message)
  })

  it.each([
    ['', 'elasticjob.yaml cannot be read: it has no sections'],
    ['- a', 'it has no sections'],
    ['registry:\n  a: [', '(line 2)'],
  ])('cannot read %j', (text, message) => {
    expect(() => read(text)).toThrow(message)
    expect(() => read(text)).toThrow(
      expect.toSatisfy((error) => isElasticJobError(error, 'JOB_CONFIGURATION_UNREADABLE')),
    )
  })

  it('takes the default export of a module that names none', () => {
    const [job] = read('jobs: {a: {shardingTotalCount: 1, module: ./a.ts}}').jobs
    expect(job?.module).toEqual({ path: './a.ts', exportName: 'default' })
  })
})

describe('sections that somebody else reads', () => {
  const text = `
jobs: {}
beside:
  path: \${HOME_OF_IT}/x
  limits: { days: 7 }
`
  const options = { environment: { HOME_OF_IT: '/srv' }, source: 'elasticjob.yaml' }

  it('are handed on as texts, with variables put in', () => {
    const { sections } = readElasticJobFile(text, { ...options, sections: ['beside', 'other'] })
    expect(sections).toEqual({ beside: { path: '/srv/x', 'limits.days': '7' } })
  })

  it('are unknown to everybody else', () => {
    expect(() => readElasticJobFile(text, options)).toThrow('beside: there is no such section')
  })
})
