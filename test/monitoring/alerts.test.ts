/** Three real workers, a real Prometheus that scrapes them, and a real cause for every alert. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Operations } from '@elasticjob/core/operations'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { type Faults, faultsOf } from '@elasticjob/zookeeper-server/testing'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { WorkerProcess } from '../cluster/worker-process.ts'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { freePorts } from '../zookeeper/harness/free-port.ts'
import { pathOf, repository } from './programs.ts'
import { type Labels, Prometheus } from './prometheus.ts'
import { shortRules } from './short-rules.ts'
import { jobNames, type MonitoredWorkerOptions, recordLine } from './worker-options.ts'

const rulesFile = join(repository, 'docs/monitoring/alerts.yml')
const namespace = 'monitored'
const program = fileURLToPath(new URL('worker.ts', import.meta.url))
const ips = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
const run = promisify(execFile)

describe.skipIf(!inject('realPrometheus'))('alerts', () => {
  let server: RunningServer
  let faults: Faults
  let operations: Operations
  let prometheus: Prometheus
  const workers = new Map<string, WorkerProcess>()
  const instances = new Map<string, string>()

  beforeAll(async () => {
    server = await startServer({ port: 0, tickTime: 1000 })
    faults = faultsOf(server)
    operations = await Operations.connect({ servers: server.connectString, namespace })
    const ports = await freePorts(ips.length)
    for (const [index, ip] of ips.entries()) {
      const port = ports[index] as number
      const options: MonitoredWorkerOptions = { servers: server.connectString, namespace, ip, port }
      const worker = WorkerProcess.spawn(`worker ${ip}`, program, options)
      workers.set(ip, worker)
      instances.set(ip, `127.0.0.1:${port}`)
      await worker.loaded()
    }
    await Promise.all([...workers.values()].map((worker) => worker.join()))
    const rules = shortRules(await readFile(rulesFile, 'utf8'), { range: '20s', hold: '1s' })
    prometheus = await Prometheus.start({ targets: [...instances.values()], rules })
  })

  afterAll(async () => {
    await Promise.all([...workers.values()].map((worker) => worker.kill()))
    await prometheus?.stop()
    await operations?.close()
    await server?.stop()
  })

  /** Waits until Prometheus says that the alert fires with these labels; answers how bad that is. */
  async function severityOf(alertname: string, labels: Labels): Promise<string | undefined> {
    let last: readonly Labels[] = []
    const wanted = Object.entries({ alertname, ...labels })
    const find = async (): Promise<Labels | undefined> => {
      last = await prometheus.firing()
      return last.find((one) => wanted.every(([name, value]) => one[name] === value))
    }
    const what = `${alertname} that fires`
    try {
      return (await eventually(find, { what, timeoutMs: 45_000, intervalMs: 250 }))['severity']
    } catch (error) {
      throw new Error(`${String(error)}; instead: ${JSON.stringify(last)}`, { cause: error })
    }
  }

  const ofJob = (job_name: string): Labels => ({ job_namespace: namespace, job_name })
  const ofWorker = (ip: string): Labels => ({ instance: instances.get(ip) as string })

  async function setParameter(jobName: string, jobParameter: string): Promise<void> {
    await operations.updateConfiguration(jobName, { jobParameter })
  }

  /** Waits until the job's first shard has run for so many milliseconds; answers where. */
  function runningOn(jobName: string, since = 0): Promise<string> {
    const find = async (): Promise<string | undefined> => {
      const [shard] = (await operations.job(jobName)).shards
      const begun = shard?.run?.begin.getTime() ?? Infinity
      return shard?.status === 'RUNNING' && begun <= Date.now() - since ? shard.server : undefined
    }
    return eventually(find, { what: `a run of ${jobName}` })
  }

  it('three workers are scraped, and nothing is wrong', async () => {
    const runs = 'sum(increase(elasticjob_runs_total{job_name="steady",outcome="success"}[10s]))'
    await eventually(
      async () => {
        const [answering] = await prometheus.query('count(up{job="elasticjob"} == 1)')
        const [ran] = await prometheus.query(`${runs} > 6`)
        const [leaders] = await prometheus.query(
          'sum(elasticjob_job_leader{job_name="steady"}) == 1',
        )
        const isWell = answering?.value === 3 && ran !== undefined && leaders !== undefined
        return isWell || undefined
      },
      { what: 'three workers that run jobs', timeoutMs: 45_000 },
    )
    // On a busy machine something may have been late at first; a rule that always fires stays.
    const quiet = async (): Promise<readonly Labels[] | undefined> => {
      const firing = await prometheus.firing()
      return firing.length === 0 ? firing : undefined
    }
    expect(await eventually(quiet, { what: 'no alert', timeoutMs: 45_000 })).toEqual([])
  })

  it('every query of the dashboard is one that Prometheus understands', async () => {
    const text = await readFile(join(repository, 'docs/monitoring/dashboard.json'), 'utf8')
    const { panels } = JSON.parse(text) as {
      panels: { targets?: { expr: string }[] }[]
    }
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(queries.length).toBeGreaterThan(30)
    const empty: string[] = []
    for (const query of queries) {
      const filled = query
        .replaceAll('$__rate_interval', '20s')
        .replaceAll(/\$job_(namespace|name)/g, '.*')
      if ((await prometheus.query(filled)).length === 0) empty.push(query)
    }
    // What has gone wrong is empty as long as nothing has.
    expect(empty.filter((query) => !query.endsWith('> 0') && !query.includes('lease'))).toEqual([])
  })

  it('a job that fails', async () => {
    await setParameter(jobNames.flaky, 'fail')
    expect(await severityOf('ElasticJobFails', ofJob(jobNames.flaky))).toBe('warning')
    await setParameter(jobNames.flaky, '')
  })

  it('a job whose shards wait for each other too long gets late', async () => {
    await setParameter(jobNames.slow, '4000')
    expect(await severityOf('ElasticJobLate', ofJob(jobNames.slow))).toBe('warning')
    await setParameter(jobNames.slow, '0')
  })

  it('a run that an operator stops, and that does not end', async () => {
    await operations.trigger(jobNames.deaf)
    await runningOn(jobNames.deaf)
    await operations.stopRun(jobNames.deaf, 0)
    expect(await severityOf('ElasticJobRunStuck', ofJob(jobNames.deaf))).toBe('warning')
  })

  it('a database of history that is down', async () => {
    workers.get('10.0.0.1')?.tell(recordLine)
    expect(await severityOf('ElasticJobHistoryDropped', ofWorker('10.0.0.1'))).toBe('warning')
  })

  it('a job of which all servers are disabled has no leader', async () => {
    await operations.disable({ job: jobNames.patient })
    expect(await severityOf('ElasticJobNoLeader', ofJob(jobNames.patient))).toBe('critical')
    await operations.enable({ job: jobNames.patient })
  })

  it('a process that hangs does not run what it owns', async () => {
    const { instances: members } = await operations.job(jobNames.steady)
    const follower = members.find(({ leads }) => !leads)
    const worker = workers.get(follower?.server ?? '') as WorkerProcess
    await worker.freeze()
    expect(await severityOf('ElasticJobFireMissed', ofJob(jobNames.steady))).toBe('warning')
    worker.thaw()
  })

  it('a registry that hangs', async () => {
    await operations.trigger(jobNames.patient)
    await runningOn(jobNames.patient)
    faults.pause()
    expect(await severityOf('ElasticJobItemsDue', ofJob(jobNames.steady))).toBe('warning')
    expect(await severityOf('ElasticJobDisconnected', ofWorker('10.0.0.2'))).toBe('critical')
    expect(await severityOf('ElasticJobLeaseEnded', { job_namespace: namespace })).toBe('warning')
    faults.resume()
  })

  it('a session that expires', async () => {
    for (const sessionId of faults.sessionIds) faults.expireSession(sessionId)
    for (const ip of ips)
      expect(await severityOf('ElasticJobSessionLost', ofWorker(ip))).toBe('warning')
  })

  it('a process that dies in the middle of a run', async () => {
    await setParameter(jobNames.fragile, '60000')
    // Those that began before that are over in a moment.
    const ip = await runningOn(jobNames.fragile, 1500)
    await workers.get(ip)?.kill()
    await setParameter(jobNames.fragile, '0')
    expect(await severityOf('ElasticJobWorkerDown', ofWorker(ip))).toBe('critical')
    expect(await severityOf('ElasticJobRunAbandoned', ofJob(jobNames.fragile))).toBe('critical')
  })

  it('the rules are sound, and their own tests pass', async () => {
    const promtool = pathOf('promtool')
    const checked = await run(promtool, ['check', 'rules', rulesFile])
    expect(checked.stdout).toContain('12 rules found')
    const tests = join(repository, 'docs/monitoring/alerts.test.yml')
    expect((await run(promtool, ['test', 'rules', tests])).stdout).toContain('SUCCESS')
  })
})
