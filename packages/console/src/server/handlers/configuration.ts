/** The configuration of a job: read, checked and changed; and the meaning of a cron expression. */
import { ConfigurationError } from '@elasticjob/core'
import { CronError, parseCron } from '@elasticjob/core/cron'
import { maskConfiguration, maskYaml, restoreSecrets } from '@elasticjob/core/internal'
import type {
  JobChanges,
  Operations,
  StoredConfiguration as CoreStored,
} from '@elasticjob/core/operations'

import type { ConfigurationUpdate, StoredConfiguration } from '../../contract/configuration.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { AuditNotes, Handlers } from '../http/handler.ts'
import { requireNames } from '../http/input.ts'
import type { NamespaceView } from '../live/namespace-view.ts'
import { problemsOf, partsOf, messageFields } from '../message-fields.ts'
import { registryOf, seen } from './action.ts'
import { changesIn, changesInSettings, mutable, settingsOf } from './settings.ts'
import { changesOf } from './takes-effect.ts'

type ConfigurationHandlers = Pick<
  Handlers,
  | 'showSettings'
  | 'changeSettings'
  | 'showConfiguration'
  | 'revealConfiguration'
  | 'checkConfiguration'
  | 'changeConfiguration'
  | 'previewCron'
>

const usualFires = 5

export const configurationHandlers: ConfigurationHandlers = {
  showSettings: async (ask) => {
    const { operations } = await registryOf(ask)
    const { configuration, version } = await operations.configuration(ask.params.job)
    return settingsOf(maskConfiguration(configuration), version)
  },

  changeSettings: async (ask) => {
    const { jobName, version } = ask.body
    requireNames({ jobName })
    const registry = await registryOf(ask)
    ask.notes.jobName = jobName
    const stored = await registry.operations.configuration(jobName)
    const changes = changesInSettings(ask.body, stored.configuration)
    return change(registry, stored, changes, version, ask.notes)
  },

  showConfiguration: async (ask) => {
    const { operations } = await registryOf(ask)
    const stored = await operations.configuration(ask.params.job)
    return answerOf({
      ...stored,
      configuration: maskConfiguration(stored.configuration),
      text: maskYaml(stored.text),
    })
  },

  revealConfiguration: async (ask) => {
    const { operations } = await registryOf(ask)
    const stored = await operations.configuration(ask.params.job)
    ask.notes.messageParts = message('secrets-shown', { jobName: ask.params.job })
    return answerOf(stored)
  },

  checkConfiguration: async (ask) => {
    const { operations } = await registryOf(ask)
    const { job } = ask.params
    const stored = await operations.configuration(job)
    const before = { before: maskYaml(stored.text), version: stored.version }
    try {
      const changes = restoreSecrets(changesIn(ask.body.changes), stored.configuration)
      const preview = await operations.previewConfiguration(job, changes)
      return {
        problems: [],
        changes: changesOf(preview.changes),
        after: maskYaml(preview.after),
        ...before,
      }
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      return { problems: problemsOf(error.problems), changes: [], ...before }
    }
  },

  changeConfiguration: async (ask) => {
    const registry = await registryOf(ask)
    const { changes, version } = ask.body
    const stored = await registry.operations.configuration(ask.params.job)
    return change(registry, stored, changesIn(changes), version, ask.notes)
  },

  previewCron: ({ query, services: { clock } }) => {
    const { expression, timeZone, count = usualFires, after, strict } = query
    try {
      const cron = parseCron(expression, { timeZone, strict: strict === 'true' })
      const from = new Date(after ?? clock.now())
      if (Number.isNaN(from.getTime())) {
        throw new ConsoleError('CONSOLE_INPUT_INVALID', message('after-time-invalid'))
      }
      return {
        expression,
        timeZone: cron.timeZone,
        words: cron.describe(),
        fires: cron.preview(from, count).map((fire) => fire.getTime()),
      }
    } catch (error) {
      if (!(error instanceof CronError)) throw error
      const problem = { ...messageFields(error), field: error.field }
      return { expression, timeZone: timeZone ?? '', fires: [], problem }
    }
  },
}

function answerOf(stored: CoreStored): StoredConfiguration {
  return {
    configuration: mutable(stored.configuration),
    text: stored.text,
    version: stored.version,
    changed: stored.changed.getTime(),
    warnings: stored.warnings.map(({ text }) => text),
    warningParts: stored.warnings.map(partsOf),
  }
}

/** Changes the configuration, and notes it before and after for the audit log. */
async function change(
  { operations, view }: { readonly operations: Operations; readonly view: NamespaceView },
  stored: CoreStored,
  sent: JobChanges,
  version: number | undefined,
  notes: AuditNotes,
): Promise<ConfigurationUpdate> {
  const { jobName } = stored.configuration
  const changes = restoreSecrets(sent, stored.configuration)
  const preview = await operations.previewConfiguration(jobName, changes)
  const update = await operations.updateConfiguration(jobName, changes, { version })
  await seen(view)
  notes.before = maskYaml(preview.before)
  notes.after = maskYaml(preview.after)
  notes.messageParts =
    update.changes.length === 0
      ? message('configuration-unchanged')
      : message('configuration-changed', { keys: update.changes.map(({ key }) => key).join(', ') })
  return {
    jobName,
    changes: changesOf(update.changes),
    configuration: mutable(maskConfiguration(update.configuration)),
    version: update.version,
  }
}
