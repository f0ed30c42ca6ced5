/** The entry of `jobExtraConfigurations` that tells Java instances where to record a job. */
import { readExtension } from '@elasticjob/core/internal'

import { historyUrlOf, type JdbcResult } from './jdbc-url.ts'

/** Java's versions use different packages. */
const className = /(^|\.)(Yaml)?TracingConfiguration$/
const storage = 'tracingStorageConfiguration.props.'

/** The database in a job's entry; undefined without an entry. */
export function javaTracingOf(extras: readonly string[]): JdbcResult | undefined {
  for (const text of extras) {
    const { className: name, settings } = readExtension(text)
    if (!className.test(name)) continue
    if (settings['type'] !== 'RDB') {
      return {
        reason: `its tracing has the type "${settings['type'] ?? ''}", but only RDB is supported`,
      }
    }
    // Each of Java's connection pools uses its own key for the URL.
    const url = settings[`${storage}jdbcUrl`] ?? settings[`${storage}url`]
    if (url === undefined) return { reason: 'its data source has no URL' }
    const username = settings[`${storage}username`] ?? settings[`${storage}user`]
    return historyUrlOf({ url, username, password: settings[`${storage}password`] })
  }
  return undefined
}
