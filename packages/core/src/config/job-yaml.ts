import { jobKeys, type JobConfiguration } from './job-configuration.ts'
import { entryWriter, type Writable } from './snake-yaml/write-mapping.ts'

/** Created once: a process writes the same keys for each of its jobs. */
const keyWriters = Object.keys(jobKeys).map(
  (key) => [key as keyof JobConfiguration, entryWriter(key)] as const,
)

/**
 * Writes a configuration as the YAML that Java writes: keys in alphabetical order, without undefined values, with empty
 * texts.
 */
export function writeJob(configuration: JobConfiguration): string {
  let text = ''
  for (const [key, write] of keyWriters) {
    const value = toWritable(configuration, key)
    if (value !== undefined) text += write(value)
  }
  return text
}

/** The value of a key in written form; undefined if the key is omitted. */
export function toWritable(
  configuration: Partial<JobConfiguration>,
  key: keyof JobConfiguration,
): Writable | undefined {
  if (key === 'jobExtraConfigurations') {
    const extras = configuration.jobExtraConfigurations ?? []
    return extras.length === 0 ? undefined : extras.map((yaml) => ({ yaml }))
  }
  const value = configuration[key]
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
  return isEmpty ? undefined : value
}
