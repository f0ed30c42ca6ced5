/**
 * The operations and queries of an operator, from any process that reaches the registry. This process takes no part in
 * a job: instances read their instructions from the registry.
 */
import { millisecondsOf } from '../config/duration.ts'
import type { RegistryOptions } from '../config/registry-options.ts'
import { resolveRegistry } from '../config/resolve-registry.ts'
import type { JobChanges } from '../config/update-job.ts'
import { dumpJob } from '../legacy/dump/dump-job.ts'
import { brokenJob } from '../errors.ts'
import { whyBroken } from '../job-tree/broken-node.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { type Logger, maskedLogger, silentLogger } from '../logger.ts'
import {
  importConfiguration,
  type ImportOptions,
  type ImportResult,
  type LegacyJob,
  listLegacyJobs,
} from './import-legacy.ts'
import { type Random, systemRandom } from '../random.ts'
import { connect, type Environment } from '../registry/connect.ts'
import { type InstanceStatistics, readStatistics } from '../legacy/statistics/read-statistics.ts'
import { readJobNames, readOne } from './catalog.ts'
import { runAction, runActions, resultOf } from './run-action.ts'
import {
  previewConfiguration,
  readConfiguration,
  readConfigurationText,
  replaceConfiguration,
  updateConfiguration,
  type UpdateOptions,
} from './configuration.ts'
import { type DepartureOptions, untilLeft } from './departure.ts'
import type {
  ConfigurationPreview,
  ConfigurationUpdate,
  InstanceSummary,
  JobDetail,
  JobSummary,
  ServerDetail,
  ServerSummary,
  StoredConfiguration,
  StoredText,
} from './details.ts'
import type { Diagnosis } from './diagnosis/diagnose.ts'
import { examineAll, examineJob } from './diagnosis/examine.ts'
import type { ActionPlan, Operator } from './action-plan.ts'
import { FollowedNamespace, type NamespaceListener } from './follow-namespace.ts'
import { type HostNameOf, reverseLookup } from './host-names.ts'
import { describeJob, describeServer, listInstances, listJobs, listServers } from './inquiries.ts'
import { requireShard } from './known.ts'
import { listNamespaces, type Namespaces } from './namespaces.ts'
import { OperatorRegistry } from './operator-registry.ts'
import { planPause, planResume } from './pause-plan.ts'
import { removeJob, removeServer } from './removal.ts'
import { repair, type RepairOptions } from './repair.ts'
import { planReshard } from './reshard-plan.ts'
import type { Action, OperationResult, Scope } from './result.ts'
import { brokenShard } from './shard-status.ts'
import { planShutdown } from './shutdown-plan.ts'
import type { JobSnapshot } from './snapshot.ts'
import { planStopRun } from './stop-run-plan.ts'
import { storedIn } from './stored.ts'
import { planDisable, planEnable, planShardDisable, planShardEnable } from './switch-plan.ts'
import { trigger, type TriggerResult } from './trigger.ts'
import type { TriggerRequest } from './trigger-plan.ts'

/** The options of `Operations.connect()`. */
export interface OperationsOptions extends RegistryOptions {
  /**
   * The logger for the performed actions; false for none.
   * @default false
   */
  readonly logger?: Logger | false
  /**
   * Finds the name of a host where it is requested.
   * @default a reverse lookup in the machine's DNS
   */
  readonly hostNameOf?: HostNameOf
  /**
   * The source of time, randomness and connections.
   * @default the machine's
   */
  readonly environment?: Environment
}

/**
 * ```ts
 * await using operations = await Operations.connect({ servers: '127.0.0.1:2181', namespace: 'shop' })
 * for (const job of await operations.jobs()) console.log(job.jobName, job.status)
 * await operations.pause({ job: 'sync-orders' })
 * ```
 *
 * Every operation that makes changes returns its effects by target. An operation on one job or shard throws its error.
 * An operation on all jobs of a server lists the failed jobs in `failed`.
 */
export class Operations {
  readonly #registry: OperatorRegistry
  readonly #logger: Logger
  readonly #hostNameOf: HostNameOf
  readonly #random: Random

  private constructor(registry: OperatorRegistry, options: OperationsOptions) {
    const { logger = false, hostNameOf = reverseLookup, environment = {} } = options
    this.#registry = registry
    this.#logger = logger === false ? silentLogger : maskedLogger(logger)
    this.#hostNameOf = hostNameOf
    this.#random = environment.random ?? systemRandom
  }

  /** Resolves when the registry is connected. */
  static async connect(options: OperationsOptions): Promise<Operations> {
    const { logger: _logger, hostNameOf: _hostNameOf, environment = {}, ...registry } = options
    const resolved = resolveRegistry(registry)
    const client = await connect(resolved, environment)
    const name = `operator-${tokenOf(environment.random ?? systemRandom)}`
    return new Operations(new OperatorRegistry(client, resolved, name), options)
  }

  close(): Promise<void> {
    return this.#registry.client.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get namespace(): string {
    return this.#registry.namespace
  }

  /** The registry's time, and by how many milliseconds it is ahead of the local clock. */
  async registryTime(): Promise<{ readonly now: Date; readonly offset: number }> {
    const now = await this.#registry.now()
    return { now: new Date(now), offset: now - this.#registry.clock.now() }
  }

  /** The namespaces of this registry that hold jobs, and those that are unreadable. */
  namespaces(): Promise<Namespaces> {
    return listNamespaces(this.#registry)
  }

  async jobNames(): Promise<readonly string[]> {
    await this.#registry.catchUp()
    return readJobNames(this.#registry)
  }

  /** Keeps the namespace in memory from now on; resolves when everything has been read. */
  async follow(listener: NamespaceListener): Promise<FollowedNamespace> {
    const followed = new FollowedNamespace(this.#registry, listener)
    await followed.start()
    return followed
  }

  jobs(): Promise<readonly JobSummary[]> {
    return listJobs(this.#registry)
  }

  job(jobName: string): Promise<JobDetail> {
    return describeJob(this.#registry, jobName)
  }

  /** All servers of all jobs; with their host names if `hostNames` is true. */
  servers({ hostNames = false }: { readonly hostNames?: boolean } = {}): Promise<
    readonly ServerSummary[]
  > {
    return listServers(this.#registry, hostNames ? this.#hostNameOf : undefined)
  }

  server(ip: string): Promise<ServerDetail> {
    return describeServer(this.#registry, ip, this.#hostNameOf)
  }

  instances(): Promise<readonly InstanceSummary[]> {
    return listInstances(this.#registry)
  }

  /** The counts of the living instances of a job, if the job is configured to count. */
  async statistics(jobName: string): Promise<readonly InstanceStatistics[]> {
    await readOne(this.#registry, jobName, 'brief')
    return readStatistics(this.#registry.readParts, this.namespace, jobName)
  }

  /** The job's tree as text, for a report; addresses are replaced unless `mask` is false. */
  async dump(jobName: string, options: { readonly mask?: boolean } = {}): Promise<string> {
    await readOne(this.#registry, jobName, 'brief')
    return dumpJob(this.#registry.readParts, this.namespace, jobName, options)
  }

  /** Diagnoses why a job did not run: what prevents it, and the remedy. */
  diagnose(jobName: string): Promise<Diagnosis> {
    return examineJob(this.#registry, jobName)
  }

  /** Diagnoses all jobs; if there is none, the reason for that. */
  diagnoseAll(): Promise<readonly Diagnosis[]> {
    return examineAll(this.#registry)
  }

  configuration(jobName: string): Promise<StoredConfiguration> {
    return readConfiguration(this.#registry, jobName)
  }

  /**
   * Changes some values of a job's configuration. The rest of the stored text stays as it is, including keys that only
   * Java understands. An undefined value removes its key.
   */
  async updateConfiguration(
    jobName: string,
    changes: JobChanges,
    options: UpdateOptions = {},
  ): Promise<ConfigurationUpdate> {
    return this.#toldChanges(await updateConfiguration(this.#registry, jobName, changes, options))
  }

  /** The text of the stored configuration, even if it is unreadable. */
  configurationText(jobName: string): Promise<StoredText> {
    return readConfigurationText(this.#registry, jobName)
  }

  /** Replaces the whole text of a job's configuration, which also repairs an unreadable one. */
  async replaceConfiguration(
    jobName: string,
    text: string,
    options: UpdateOptions = {},
  ): Promise<ConfigurationUpdate> {
    return this.#toldChanges(await replaceConfiguration(this.#registry, jobName, text, options))
  }

  #toldChanges(update: ConfigurationUpdate): ConfigurationUpdate {
    for (const { key, from, to } of update.changes) {
      this.#logger.info(
        `${key} of job ${update.jobName}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
      )
    }
    return update
  }

  /** The effect that the same change would have; nothing is written. */
  previewConfiguration(jobName: string, changes: JobChanges): Promise<ConfigurationPreview> {
    return previewConfiguration(this.#registry, jobName, changes)
  }

  /** The jobs that are stored in the form of Elastic-Job 1.x or 2.x. */
  legacyJobs(): Promise<readonly LegacyJob[]> {
    return listLegacyJobs(this.#registry)
  }

  /**
   * Converts the configuration of a job of 1.x or 2.x to the current form. Leaves a job alone that already has it.
   * Instances of the old version have to be stopped first: otherwise both versions would run the job.
   */
  async importConfiguration(jobName: string, options: ImportOptions = {}): Promise<ImportResult> {
    const result = await importConfiguration(this.#registry, jobName, options)
    const { form, written, removed } = result
    if (written) this.#logger.info(`the configuration of job ${jobName} is imported from ${form}`)
    if (removed.length > 0 && options.dryRun !== true) {
      this.#logger.info(`${removed.length} nodes of 1.x are removed from job ${jobName}`)
    }
    return result
  }

  /**
   * Runs shards now, in one manual run on the instances that own them. A manual run that is requested while another one
   * runs waits for it.
   */
  async trigger(jobName: string, request: TriggerRequest = {}): Promise<TriggerResult> {
    return this.#told(await trigger(this.#registry, jobName, request))
  }

  /** Pauses the schedule; manual runs still run. Java instances do not support pausing: they are in `skipped`. */
  pause(scope: Scope): Promise<OperationResult> {
    return this.#switch('pause', scope, planPause)
  }

  /** Resumes the schedule, from the next fire time on. Without a server, on all servers. */
  resume(scope: Scope): Promise<OperationResult> {
    return this.#switch('resume', scope, planResume)
  }

  enable(scope: Scope): Promise<OperationResult> {
    return this.#switch('enable', scope, planEnable)
  }

  /** The servers get no shards of the job until they are enabled again, whichever instances join or leave. */
  disable(scope: Scope): Promise<OperationResult> {
    return this.#switch('disable', scope, planDisable)
  }

  /** Asks instances to leave a job. They finish their runs first. They take part again after a restart. */
  async shutdown(scope: Scope, options: DepartureOptions = {}): Promise<OperationResult> {
    const registry = this.#registry
    const perform = async (jobName: string, server: string | undefined): Promise<ActionPlan> => {
      const actionPlan = await runAction(registry, jobName, 'brief', ({ view }, operator) =>
        planShutdown(view, operator, server),
      )
      const isMeant = (instance: string): boolean =>
        server === undefined || serverOf(instance) === server
      if (millisecondsOf(options.wait ?? 0) > 0)
        await untilLeft(registry, jobName, isMeant, options)
      return actionPlan
    }
    return this.#told(await runActions(registry, 'shutdown', scope, perform))
  }

  /**
   * Removes a job from the registry, or a server from one job or from all jobs. Asks the instances to leave first. If
   * they take longer than `wait`, another call of `remove` finishes the removal.
   */
  async remove(scope: Scope, options: DepartureOptions = {}): Promise<OperationResult> {
    const registry = this.#registry
    const perform = (jobName: string, server: string | undefined): Promise<ActionPlan> =>
      server === undefined
        ? removeJob(registry, jobName, tokenOf(this.#random), options)
        : removeServer(registry, jobName, server, options)
    return this.#told(await runActions(registry, 'remove', scope, perform))
  }

  /** Recomputes the shard assignment of a job. */
  reshard(jobName: string): Promise<OperationResult> {
    return this.#forJob('reshard', jobName, ({ view }, operator) => planReshard(view, operator))
  }

  /**
   * Resets unreadable nodes of a job, or of all jobs, to values that cause no duplicate run; the result says what was
   * lost. With `dryRun` nothing is changed, and `done` lists what would be.
   */
  async repair(jobName?: string, options: RepairOptions = {}): Promise<OperationResult> {
    const result = await repair(this.#registry, jobName, options)
    return options.dryRun === true ? result : this.#told(result)
  }

  enableShard(jobName: string, shard: number): Promise<OperationResult> {
    const registry = this.#registry
    return this.#forShard(
      'enable-shard',
      jobName,
      shard,
      async ({ view, shardStates, paths }, operator) => {
        const mark = await registry.reader.get(paths.mark(shard, 'disabled'))
        return planShardEnable(view, operator, shard, shardStates.get(shard), {
          now: await registry.nowFor(view),
          disabledAt: Number(mark?.stat.ctime ?? 0),
        })
      },
    )
  }

  /** The shard does not run until it is enabled again; a current run continues. */
  disableShard(jobName: string, shard: number): Promise<OperationResult> {
    return this.#forShard('disable-shard', jobName, shard, ({ view }, operator) =>
      planShardDisable(view, operator, shard),
    )
  }

  /**
   * Asks the run of a shard to end, through its `AbortSignal`. The shard does not run again before its next fire time.
   */
  stopRun(jobName: string, shard: number): Promise<OperationResult> {
    return this.#forShard('stop-run', jobName, shard, (snapshot, operator) =>
      planStopRun(snapshot, operator, shard),
    )
  }

  async #switch(action: Action, scope: Scope, plan: typeof planPause): Promise<OperationResult> {
    const registry = this.#registry
    const perform = (jobName: string, server: string | undefined): Promise<ActionPlan> =>
      runAction(registry, jobName, 'brief', async ({ view }, operator) =>
        plan(view, operator, await registry.nowFor(view), server),
      )
    return this.#told(await runActions(registry, action, scope, perform))
  }

  async #forJob(action: Action, jobName: string, plan: PlanOfJob): Promise<OperationResult> {
    return this.#told(resultOf(action, [await runAction(this.#registry, jobName, 'full', plan)]))
  }

  #forShard(
    action: Action,
    jobName: string,
    shard: number,
    plan: PlanOfJob,
  ): Promise<OperationResult> {
    return this.#forJob(action, jobName, (snapshot, operator) => {
      const total = storedIn(snapshot).configuration?.shardingTotalCount ?? 0
      requireShard(snapshot.view, shard, total)
      const broken = brokenShard(snapshot, shard)
      if (broken !== undefined) throw brokenJob(jobName, whyBroken(broken))
      return plan(snapshot, operator)
    })
  }

  #told<R extends OperationResult>(result: R): R {
    for (const { text } of result.done) this.#logger.info(text)
    for (const { reason } of [...result.skipped, ...result.failed]) this.#logger.warn(reason)
    return result
  }
}

type PlanOfJob = (snapshot: JobSnapshot, operator: Operator) => ActionPlan | Promise<ActionPlan>

function tokenOf(random: Random): string {
  return Buffer.from(random.bytes(12)).toString('base64url')
}
