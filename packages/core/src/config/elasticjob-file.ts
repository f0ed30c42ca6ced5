import { isMap } from 'yaml'
import { fileLimits } from '../decode/budget.ts'
import { ConfigurationError, ElasticJobError, type Problem } from '../errors.ts'
import { checkJob } from './check-job.ts'
import { type DumpOptions, problemsOfDump } from './dump-options.ts'
import { type Field, FileReader, type ValueKind } from './file-reader.ts'
import { type JobConfiguration, jobKeys } from './job-configuration.ts'
import type { Props } from './props.ts'
import type { RegistryOptions } from './registry-options.ts'
import { problemsOfRegistry } from './resolve-registry.ts'
import { runOptionNames } from './run-options.ts'
import { YamlDocument, YamlProblem } from './snake-yaml/document.ts'
import { suggest } from './suggest.ts'

/** The content of an `elasticjob.yaml`. */
export interface ElasticJobFile {
  /** The connection to the registry; undefined if the file has none. */
  readonly registry: RegistryOptions | undefined
  readonly jobs: readonly FileJob[]
  /** The dump port; undefined if the file has none. */
  readonly dump: DumpOptions | undefined
  /** The requested sections, with flat keys: `retention: { days: 7 }` is `retention.days`. */
  readonly sections: Readonly<Record<string, Props>>
  /** Warnings about keys that have no effect here. */
  readonly warnings: readonly string[]
}

/** A job of the file. */
export interface FileJob {
  readonly configuration: JobConfiguration
  /** The class of Java instances of the same job. */
  readonly jobClass: string | undefined
  /** A type that properties alone describe: SCRIPT, HTTP, or a custom type. */
  readonly jobType: string | undefined
  /** The module with the job's body. */
  readonly module: ModuleReference | undefined
}

/** `./jobs/sync.ts#syncOrders` */
export interface ModuleReference {
  /** As written: relative to the file. */
  readonly path: string
  /** `default` if the file names no export. */
  readonly exportName: string
}

/** The options of `readElasticJobFile`. */
export interface FileOptions {
  /** The variables for interpolation, such as `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file's name, for messages. */
  readonly source: string
  /**
   * The names of additional sections, which the caller reads.
   * @default []
   */
  readonly sections?: readonly string[]
}

/**
 * Reads `elasticjob.yaml`: the sections `registry`, `jobs` and `dump` and the requested ones, at the top level or, as
 * in Spring Boot, below `elasticjob`. Throws all problems, with the path and line of each key.
 */
export function readElasticJobFile(text: string, options: FileOptions): ElasticJobFile {
  try {
    return readDocument(new YamlDocument(text, fileLimits), options)
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw unreadable(options.source, error.message, error.line, error)
  }
}

function readDocument(
  document: YamlDocument,
  { environment, source, sections: others = [] }: FileOptions,
): ElasticJobFile {
  const reader = new FileReader(document, environment)
  if (!isMap(document.root)) throw unreadable(source, 'it has no sections', 1)
  const top: Field = { path: '', keyNode: document.root, value: document.root }
  const sections = sectionsOf(reader, top, others)
  const registry = sections.get('registry')
  const jobs = sections.get('jobs')
  const dump = sections.get('dump')
  const file = {
    registry: registry === undefined ? undefined : readRegistry(reader, registry),
    jobs: jobs === undefined ? [] : readJobs(reader, jobs),
    dump: dump === undefined ? undefined : readDump(reader, dump),
    sections: Object.fromEntries(
      others.flatMap((name) => {
        const field = sections.get(name)
        return field === undefined ? [] : [[name, reader.valueOf(field, 'props') as Props]]
      }),
    ),
    warnings: reader.warnings,
  }
  if (reader.problems.length > 0) throw new ConfigurationError(source, reader.problems)
  return file
}

function unreadable(
  source: string,
  reason: string,
  line: number,
  cause?: unknown,
): ElasticJobError {
  return new ElasticJobError(
    'JOB_CONFIGURATION_UNREADABLE',
    `${source} cannot be read: ${reason} (line ${line})`,
    cause,
  )
}

/** Spring Boot sections without settings of the registry or the jobs. */
const springSections = new Set(['tracing', 'snapshot', 'enabled'])
const ownSections = ['registry', 'jobs', 'dump']

function sectionsOf(reader: FileReader, top: Field, others: readonly string[]): Map<string, Field> {
  const knownSections = [...ownSections, ...others]
  const outer = reader.fieldsOf(top)
  const spring = outer.get('elasticjob')
  const sections = new Map<string, Field>()
  for (const [name, field] of spring === undefined ? outer : reader.fieldsOf(spring)) {
    const section = name === 'regCenter' ? 'registry' : name
    if (knownSections.includes(section)) sections.set(section, field)
    else if (spring !== undefined && springSections.has(name)) {
      reader.warn(field.path, 'this section means nothing here', field.keyNode)
    } else {
      const hint = suggest(name, [...knownSections, 'elasticjob'])
      reader.report(field.path, `there is no such section${hint}`, field.keyNode)
    }
  }
  return sections
}

const registryKinds: Readonly<Record<string, ValueKind>> = Object.freeze({
  servers: 'texts',
  serverLists: 'text',
  namespace: 'text',
  digest: 'text',
  sasl: 'text',
  tls: 'flag',
  localPropertiesPath: 'text',
  localPropertiesOverwrite: 'flag',
  serverTickTime: 'text',
  abortTime: 'text',
})

function readRegistry(reader: FileReader, section: Field): RegistryOptions {
  const options: Record<string, unknown> = {}
  const fields = reader.fieldsOf(section)
  for (const [name, field] of fields) {
    if (name === 'ensembleTracker') {
      reader.warn(field.path, 'changes of the ensemble are not followed', field.keyNode)
    } else if ((name === 'tls' || name === 'sasl') && isMap(field.value)) {
      options[name] = Object.fromEntries(
        [...reader.fieldsOf(field)].map(([key, inner]) => [key, reader.valueOf(inner, 'text')]),
      )
    } else {
      options[name] = reader.valueOf(field, registryKinds[name] ?? 'number')
    }
  }
  reportAll(reader, problemsOfRegistry(options), section, fields)
  return options as unknown as RegistryOptions
}

function readDump(reader: FileReader, section: Field): DumpOptions {
  const fields = reader.fieldsOf(section)
  const options = Object.fromEntries(
    [...fields].map(([name, field]) => [
      name,
      reader.valueOf(field, name === 'port' ? 'number' : 'text'),
    ]),
  )
  reportAll(reader, problemsOfDump(options), section, fields)
  return options
}

/** Keys of a job that are not part of its stored configuration. */
const ownKeys = new Set(['jobType', 'elasticJobType', 'jobClass', 'elasticJobClass', 'module'])

function readJobs(reader: FileReader, section: Field): FileJob[] {
  return [...reader.fieldsOf(section, true)].map(([jobName, job]) => {
    const fields = reader.fieldsOf(job)
    const own = (name: string): string | undefined => {
      const field = fields.get(name)
      return field === undefined ? undefined : textIn(reader, field)
    }
    const options = optionsOf(reader, jobName, fields)
    const { configuration, problems } = checkJob(options)
    reportAll(reader, problems, job, fields)
    const jobType = own('jobType') ?? own('elasticJobType')
    const module = own('module')
    if (jobType !== undefined && module !== undefined) {
      reader.report(job.path, 'it has a type and a module; one of them runs the job', job.keyNode)
    }
    return {
      configuration,
      jobClass: own('jobClass') ?? own('elasticJobClass'),
      jobType,
      module: module === undefined ? undefined : referenceOf(module),
    }
  })
}

function optionsOf(
  reader: FileReader,
  jobName: string,
  fields: ReadonlyMap<string, Field>,
): Record<string, unknown> {
  const options: Record<string, unknown> = { jobName }
  for (const [name, field] of fields) {
    if (ownKeys.has(name)) continue
    if (name === 'jobBootstrapBeanName') {
      reader.warn(field.path, 'there are no beans here', field.keyNode)
    } else if (name === 'jobName') {
      if (textIn(reader, field) !== jobName) {
        reader.report(field.path, `the job is called "${jobName}" by its key`, field.keyNode)
      }
    } else {
      options[name] = reader.valueOf(field, kindOf(name))
    }
  }
  return options
}

function kindOf(name: string): ValueKind {
  if (name === 'shardingItemParameters') return 'parameters'
  if (runOptionNames.includes(name)) return 'run option'
  return Object.hasOwn(jobKeys, name) ? jobKeys[name as keyof JobConfiguration] : 'text'
}

function textIn(reader: FileReader, field: Field): string | undefined {
  const value = reader.valueOf(field, 'text')
  if (value === undefined || typeof value === 'string') return value
  reader.report(field.path, 'it must be a text', field.keyNode)
  return undefined
}

function referenceOf(module: string): ModuleReference {
  const at = module.lastIndexOf('#')
  return at === -1
    ? { path: module, exportName: 'default' }
    : { path: module.slice(0, at), exportName: module.slice(at + 1) || 'default' }
}

/** Reports each problem of a section at its key; the problem of a missing key at the section. */
function reportAll(
  reader: FileReader,
  problems: readonly Problem[],
  section: Field,
  fields: ReadonlyMap<string, Field>,
): void {
  for (const { key, message } of problems) {
    const field = fields.get(key.split('.', 1)[0] as string)
    reader.report(`${section.path}.${key}`, message, (field ?? section).keyNode)
  }
}
