/** Reads and changes a job's stored configuration. A change leaves the rest of the stored text untouched. */
import { checkJob } from '../config/check-job.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import { mixedZoneProblems } from '../config/mixed-zone.ts'
import { monitoringProblemsOf } from '../config/monitoring.ts'
import { readJob } from '../config/read-job.ts'
import { runLimitsProblemsOf } from '../config/run-limits.ts'
import { type JobChanges, updateYaml } from '../config/update-job.ts'
import { ConfigurationError, ElasticJobError, type Problem, problem } from '../errors.ts'
import { timelineWithStored } from '../job-tree/timeline.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { readOne } from './catalog.ts'
import type {
  ConfigurationChange,
  ConfigurationPreview,
  ConfigurationUpdate,
  StoredConfiguration,
  StoredText,
} from './details.ts'
import { changeJobState, requireNotRemoving } from './action-plan.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import type { JobSnapshot } from './snapshot.ts'
import { kindOf, storedIn } from './stored.ts'

export async function readConfiguration(
  registry: OperatorRegistry,
  jobName: string,
): Promise<StoredConfiguration> {
  const snapshot = await readOne(registry, jobName, 'brief')
  const { text, version, mtime } = requireConfiguration(snapshot)
  // Throws if the configuration is unreadable: there is no other result to return.
  const { configuration } = readJob(text, snapshot.paths.config)
  const { warnings } = storedIn(snapshot)
  return { configuration, text, version, changed: new Date(mtime), warnings }
}

/** The text of a configuration, even if it is unreadable. */
export async function readConfigurationText(
  registry: OperatorRegistry,
  jobName: string,
): Promise<StoredText> {
  const snapshot = await readOne(registry, jobName, 'brief')
  const { text, version } = requireConfiguration(snapshot)
  // The configuration of 1.x is stored in other nodes. It has to be imported, not replaced.
  if (text.trim() === '') throw unconfigurable(snapshot)
  return { text, version }
}

export interface UpdateOptions {
  /**
   * The version that the changes are based on. If another version is stored, the update fails and changes nothing.
   * @default the version that is stored
   */
  readonly version?: number | undefined
}

export function updateConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  changes: JobChanges,
  options: UpdateOptions,
): Promise<ConfigurationUpdate> {
  return store(registry, jobName, (snapshot) => updateOf(snapshot, changes), options)
}

/** Stores a whole text, whether or not the stored one is readable. */
export function replaceConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  text: string,
  options: UpdateOptions,
): Promise<ConfigurationUpdate> {
  return store(registry, jobName, (snapshot) => replacementOf(snapshot, text), options)
}

interface PlannedUpdate extends ConfigurationUpdate {
  readonly text: string
}

async function store(
  registry: OperatorRegistry,
  jobName: string,
  plan: (snapshot: JobSnapshot) => PlannedUpdate,
  { version: expected }: UpdateOptions,
): Promise<ConfigurationUpdate> {
  const { operations: _, ...stored } = await registry.carryOut(
    message('configuration-subject', { jobName }),
    async () => {
      const snapshot = await readOne(registry, jobName, 'brief')
      requireNotRemoving(snapshot.view)
      const { text, ...update } = plan(snapshot)
      if (update.changes.length === 0) return { ...update, operations: [] }
      const { version } = requireConfiguration(snapshot)
      if (expected !== undefined && expected !== version) {
        throw overtaken(jobName, expected, version)
      }
      const change = part.set(snapshot.paths.config, text, version)
      return { ...update, operations: [change, ...stateChange(snapshot)] }
    },
  )
  return stored
}

/**
 * Changes the job state together with the configuration, so that the registry rejects every claim that was planned
 * before. The job state keeps the replaced schedule: without a leader, nothing else would record its fire times.
 */
function stateChange(snapshot: JobSnapshot): readonly TransactionPart[] {
  const { view, paths } = snapshot
  if (view.jobState === undefined) return []
  const { configuration: stored } = storedIn(snapshot)
  const { mtime } = requireConfiguration(snapshot)
  const changes =
    stored === undefined ? {} : { timeline: timelineWithStored(view.jobState.value, stored, mtime) }
  return changeJobState(view, { paths }, changes)
}

export async function previewConfiguration(
  registry: OperatorRegistry,
  jobName: string,
  changes: JobChanges,
): Promise<ConfigurationPreview> {
  const snapshot = await readOne(registry, jobName, 'brief')
  requireNotRemoving(snapshot.view)
  const before = requireConfiguration(snapshot)
  const { text: after, ...update } = updateOf(snapshot, changes)
  return { ...update, version: before.version, before: before.text, after }
}

function updateOf(snapshot: JobSnapshot, changes: JobChanges): PlannedUpdate {
  const { paths } = snapshot
  const stored = requireConfiguration(snapshot)
  refuse(snapshot, problemsOf(snapshot, changes))
  const text = updateYaml(stored.text, changes, paths.config)
  return plannedUpdate(snapshot, text, readJob(text, paths.config).configuration)
}

function replacementOf(snapshot: JobSnapshot, text: string): PlannedUpdate {
  const { view, paths } = snapshot
  const { configuration } = readJob(text, paths.config)
  const { jobName } = configuration
  refuse(snapshot, [
    ...(jobName === view.jobName
      ? []
      : [
          problem(
            'jobName',
            message('value-mismatch', { expected: view.jobName, actual: jobName }),
          ),
        ]),
    ...checkJob({ ...configuration }).problems,
    ...problemsOf(snapshot, configuration),
  ])
  return plannedUpdate(snapshot, text, configuration)
}

function problemsOf({ view }: JobSnapshot, { timeZone, props = {} }: JobChanges): Problem[] {
  return [
    ...(kindOf(view) === 'ours' ? [] : mixedZoneProblems(timeZone)),
    ...runLimitsProblemsOf(props),
    ...monitoringProblemsOf(props),
  ]
}

function refuse({ paths }: JobSnapshot, problems: readonly Problem[]): void {
  if (problems.length > 0)
    throw new ConfigurationError(
      message('configuration-change-subject', { source: paths.config }),
      problems,
    )
}

function plannedUpdate(
  snapshot: JobSnapshot,
  text: string,
  after: JobConfiguration,
): PlannedUpdate {
  const { view } = snapshot
  const stored = requireConfiguration(snapshot)
  const { configuration: before } = storedIn(snapshot)
  const changed = changesBetween(before, after)
  return {
    jobName: view.jobName,
    changes: changed,
    configuration: after,
    version: stored.version + (changed.length === 0 ? 0 : 1),
    text,
  }
}

/** `before`: undefined if the stored configuration is unreadable. */
function changesBetween(
  before: JobConfiguration | undefined,
  after: JobConfiguration,
): ConfigurationChange[] {
  return (Object.keys(after) as (keyof JobConfiguration)[])
    .filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after[key]))
    .map((key) => ({ key, from: before?.[key], to: after[key] }))
}

function requireConfiguration(snapshot: JobSnapshot): NonNullable<JobSnapshot['view']['config']> {
  const { config } = snapshot.view
  if (config !== undefined) return config
  throw unconfigurable(snapshot)
}

function unconfigurable(snapshot: JobSnapshot): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFIGURATION_UNREADABLE',
    message('configuration-refused', {
      jobName: snapshot.view.jobName,
      problem: storedIn(snapshot).problem ?? '',
    }),
  )
}

function overtaken(jobName: string, expected: number, version: number): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFLICT',
    message('configuration-stale', { jobName, version, expected }),
  )
}
