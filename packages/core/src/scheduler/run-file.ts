/** Runs the jobs of an `elasticjob.yaml`. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import {
  type ElasticJobFile,
  type FileJob,
  type ModuleReference,
  readElasticJobFile,
} from '../config/elasticjob-file.ts'
import type { RegistryOptions } from '../config/registry-options.ts'
import { ConfigurationError, ElasticJobError } from '../errors.ts'
import type { JobBody } from '../job-types/job-types.ts'
import { consoleLogger } from '../logger.ts'
import type { ElasticJobOptions } from './elastic-job-options.ts'
import { ElasticJob } from './elastic-job.ts'
import { messageOf } from '../thrown.ts'

/** Hooks for callers that read more of the file than its jobs. */
export interface FileCompanions {
  /**
   * Additional sections of the file that the caller reads.
   * @default []
   */
  readonly sections?: readonly string[]
  /** Called when the registry is connected and before the first job is scheduled. */
  connected?(jobs: ElasticJob, file: ElasticJobFile): Promise<void> | void
}

/**
 * Runs the jobs of a file. Registry options override the settings of the file. All of the file is checked, and every
 * module is found, before the first job starts.
 */
export async function runElasticJobFile(
  path: string,
  options: Partial<ElasticJobOptions> = {},
  companions: FileCompanions = {},
): Promise<ElasticJob> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ElasticJobError('JOB_CONFIGURATION_UNREADABLE', `${path} cannot be read`, cause)
  })
  const { sections = [] } = companions
  const file = readElasticJobFile(text, { environment: process.env, source: path, sections })
  const bodies = await Promise.all(file.jobs.map((job) => bodyOf(job, dirname(resolve(path)))))
  // If the file has no registry, the options need one; `connect` reports missing options.
  const jobs = await ElasticJob.connect({
    ...registryOf(file, path),
    ...(file.dump === undefined ? {} : { dump: file.dump }),
    ...options,
  } as ElasticJobOptions)
  const { logger = consoleLogger } = options
  if (logger !== false) for (const message of file.warnings) logger.warn(`${path}: ${message}`)
  try {
    await companions.connected?.(jobs, file)
    for (const [index, { configuration, jobClass }] of file.jobs.entries()) {
      await jobs.schedule({ ...configuration, jobClass }, bodies[index] as JobBody)
    }
  } catch (error) {
    await jobs.stop({ drain: false })
    throw error
  }
  return jobs
}

/** Paths of modules and of properties files are relative to the file. */
function registryOf({ registry }: ElasticJobFile, path: string): RegistryOptions | undefined {
  const properties = registry?.localPropertiesPath
  if (registry === undefined || properties === undefined) return registry
  return { ...registry, localPropertiesPath: resolve(dirname(path), properties) }
}

async function bodyOf(
  { configuration, jobType, module }: FileJob,
  folder: string,
): Promise<JobBody> {
  if (module !== undefined) return loadBody(configuration.jobName, module, folder)
  if (jobType !== undefined) return { type: jobType }
  throw new ConfigurationError(`the job "${configuration.jobName}"`, [
    {
      key: `jobs.${configuration.jobName}`,
      message: 'it says nothing of what to run: give it a jobType such as SCRIPT, or a module',
    },
  ])
}

async function loadBody(
  jobName: string,
  { path, exportName }: ModuleReference,
  folder: string,
): Promise<JobBody> {
  const key = `jobs.${jobName}.module`
  const loaded = (await import(pathToFileURL(resolve(folder, path)).href).catch(
    (cause: unknown) => {
      const reason = messageOf(cause)
      throw new ConfigurationError(`the job "${jobName}"`, [
        { key, message: `${path} cannot be loaded: ${reason}` },
      ])
    },
  )) as Record<string, unknown>
  const body = loaded[exportName]
  if (typeof body === 'function' || (typeof body === 'object' && body !== null)) {
    return body as JobBody
  }
  const known = Object.keys(loaded).join(', ') || 'nothing'
  throw new ConfigurationError(`the job "${jobName}"`, [
    { key, message: `${path} exports no "${exportName}"; it exports ${known}` },
  ])
}
