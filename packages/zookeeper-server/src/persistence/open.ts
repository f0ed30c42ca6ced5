import { type Random, systemRandom } from '@elasticjob/zookeeper'
import { DataDirectory } from './data-directory.ts'
import { machineDirectory } from './directory.ts'
import type { DataDirectoryOptions } from './options.ts'
import { warnOf } from './warnings.ts'

/** Stores a server's state in a local directory. */
export function openDataDirectory(
  path: string,
  options: DataDirectoryOptions,
  random: Random = systemRandom,
): DataDirectory {
  const directory = new DataDirectory(machineDirectory(path), options, random)
  warnOf(directory.events, path)
  return directory
}
