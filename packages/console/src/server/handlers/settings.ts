/** A configuration with the names of 2.x next to today's. */
import type { JobConfiguration } from '@elasticjob/core'
import type { JobChanges as CoreChanges } from '@elasticjob/core/operations'

import type { JobChanges, JobSettings, JobSettingsBody } from '../../contract/configuration.ts'

/** Today's `props` keys for the keys of 2.x. */
const streaming = 'streaming.process'
const commandLine = 'script.command.line'
const monitorPort = 'monitor.port'

export function settingsOf(configuration: JobConfiguration, version: number): JobSettings {
  const { props } = configuration
  return {
    ...mutable(configuration),
    jobType: jobTypeOf(configuration),
    streamingProcess: props[streaming] === 'true',
    scriptCommandLine: props[commandLine] ?? '',
    monitorPort: Number(props[monitorPort] ?? -1),
    version,
  }
}

export function mutable(
  configuration: JobConfiguration,
): Omit<
  JobSettings,
  'jobType' | 'streamingProcess' | 'scriptCommandLine' | 'monitorPort' | 'version'
> {
  return {
    ...configuration,
    jobListenerTypes: [...configuration.jobListenerTypes],
    jobExtraConfigurations: [...configuration.jobExtraConfigurations],
    props: { ...configuration.props },
  }
}

/** The type is not stored; its settings are. */
function jobTypeOf({ props }: JobConfiguration): JobSettings['jobType'] {
  if (props[commandLine] !== undefined) return 'SCRIPT'
  if (props['http.uri'] !== undefined) return 'HTTP'
  return props[streaming] === undefined ? '' : 'DATAFLOW'
}

/** The changes of a body: absent keys stay, null removes a key. */
export function changesIn(body: JobChanges): CoreChanges {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? undefined]))
}

/** The same for a body in the form of 2.x and 3.x; `stored` has the props that the body does not name. */
export function changesInSettings(body: JobSettingsBody, stored: JobConfiguration): CoreChanges {
  const {
    jobName: _jobName,
    version: _version,
    jobExtraConfigurations: _extras,
    jobType: _jobType,
    jobClass: _jobClass,
    streamingProcess,
    scriptCommandLine,
    monitorPort: port,
    ...changes
  } = body
  const props = {
    ...(changes.props ?? stored.props),
    ...(streamingProcess === undefined || (!streamingProcess && !(streaming in stored.props))
      ? {}
      : { [streaming]: String(streamingProcess) }),
    ...(scriptCommandLine === undefined || scriptCommandLine === ''
      ? {}
      : { [commandLine]: scriptCommandLine }),
    ...(port === undefined || (port < 0 && !(monitorPort in stored.props))
      ? {}
      : { [monitorPort]: String(port) }),
  }
  const isSame = JSON.stringify(props) === JSON.stringify(stored.props)
  return changesIn({ ...changes, ...(isSame ? { props: undefined } : { props }) })
}
