/** The entry of `jobExtraConfigurations` by which Java instances know where to record a job. */
import { readExtension } from '@elasticjob/core'

import { historyUrlOf, type JdbcResult } from './jdbc-url.ts'

/** The package has another name in each of Java's versions. */
const className = /(^|\.)(Yaml)?TracingConfiguration$/
const storage = 'tracingStorageConfiguration.props.'

/** Where the entry of a job points to; undefined for a job that has none. */
export function javaTracingOf(extras: readonly string[]): JdbcResult | undefined {
  for (const text of extras) {
    const { className: name, settings } = readExtension(text)
    if (!className.test(name)) continue
    if (settings['type'] !== 'RDB') {
      return { reason: `its tracing is of the type "${settings['type'] ?? ''}", not RDB` }
    }
    // Every pool of Java's has a name of its own for the same.
    const url = settings[`${storage}jdbcUrl`] ?? settings[`${storage}url`]
    if (url === undefined) return { reason: 'its data source has no URL' }
    const username = settings[`${storage}username`] ?? settings[`${storage}user`]
    return historyUrlOf({ url, username, password: settings[`${storage}password`] })
  }
  return undefined
}
