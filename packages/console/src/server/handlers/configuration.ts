/** A job's configuration: read, checked and changed; and what a cron expression means. */
import {
  ConfigurationError,
  CronError,
  type JobChanges,
  type Operations,
  parseCron,
  say,
} from '@elasticjob/core'

import type { ConfigurationUpdate } from '../../contract/configuration.ts'
import { ConsoleError } from '../../errors.ts'
import type { AuditNotes, Handlers } from '../http/handler.ts'
import { requireNames } from '../http/input.ts'
import { maskProps, maskText } from '../secrets.ts'
import type { Board } from '../live/board.ts'
import { problemsOf, saidOf, wordsOf } from '../wire-words.ts'
import { registryOf, seen } from './deed.ts'
import { changesIn, changesInSettings, mutable, settingsOf } from './settings.ts'
import { changesOf } from './takes-effect.ts'

type ConfigurationHandlers = Pick<
  Handlers,
  | 'showSettings'
  | 'changeSettings'
  | 'showConfiguration'
  | 'checkConfiguration'
  | 'changeConfiguration'
  | 'previewCron'
>

const usualFires = 5

export const configurationHandlers: ConfigurationHandlers = {
  showSettings: async (ask) => {
    const { operations } = await registryOf(ask)
    const { configuration, version } = await operations.configuration(ask.params.job)
    const settings = settingsOf(configuration, version)
    return ask.identity.role === 'root'
      ? settings
      : { ...settings, props: maskProps(settings.props) }
  },

  changeSettings: async (ask) => {
    const { jobName, version } = ask.body
    requireNames({ jobName })
    const registry = await registryOf(ask)
    ask.notes.jobName = jobName
    const stored = await registry.operations.configuration(jobName)
    const changes = changesInSettings(ask.body, stored.configuration)
    return change(registry, jobName, changes, version, ask.notes)
  },

  showConfiguration: async (ask) => {
    const { operations } = await registryOf(ask)
    const stored = await operations.configuration(ask.params.job)
    const isRoot = ask.identity.role === 'root'
    const configuration = mutable(stored.configuration)
    return {
      configuration: isRoot
        ? configuration
        : { ...configuration, props: maskProps(configuration.props) },
      text: isRoot ? stored.text : maskText(stored.text, configuration),
      version: stored.version,
      changed: stored.changed.getTime(),
      warnings: stored.warnings.map(({ text }) => text),
      warningsSaid: stored.warnings.map(saidOf),
    }
  },

  checkConfiguration: async (ask) => {
    const { operations } = await registryOf(ask)
    const { job } = ask.params
    const stored = await operations.configuration(job)
    const shown = (text: string): string =>
      ask.identity.role === 'root' ? text : maskText(text, stored.configuration)
    const before = { before: shown(stored.text), version: stored.version }
    try {
      const preview = await operations.previewConfiguration(job, changesIn(ask.body.changes))
      return {
        problems: [],
        changes:
          ask.identity.role === 'root'
            ? changesOf(preview.changes)
            : changesOf(preview.changes).filter(({ key }) => key !== 'props'),
        after: shown(preview.after),
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
    return change(registry, ask.params.job, changesIn(changes), version, ask.notes)
  },

  previewCron: ({ query, services: { clock } }) => {
    const { expression, timeZone, count = usualFires, after, strict } = query
    try {
      const cron = parseCron(expression, { timeZone, strict: strict === 'true' })
      const from = new Date(after ?? clock.now())
      if (Number.isNaN(from.getTime())) {
        throw new ConsoleError('CONSOLE_INPUT_INVALID', say`\`after\` is no time`)
      }
      return {
        expression,
        timeZone: cron.timeZone,
        words: cron.describe(),
        fires: cron.preview(from, count).map((fire) => fire.getTime()),
      }
    } catch (error) {
      if (!(error instanceof CronError)) throw error
      const problem = { ...wordsOf(error), field: error.field }
      return { expression, timeZone: timeZone ?? '', fires: [], problem }
    }
  },
}

/** Changes it, and writes down what it was and what it has become. */
async function change(
  { operations, board }: { readonly operations: Operations; readonly board: Board },
  jobName: string,
  changes: JobChanges,
  version: number | undefined,
  notes: AuditNotes,
): Promise<ConfigurationUpdate> {
  const preview = await operations.previewConfiguration(jobName, changes)
  const update = await operations.updateConfiguration(jobName, changes, { version })
  await seen(board)
  notes.before = preview.before
  notes.after = preview.after
  notes.said =
    update.changes.length === 0
      ? say`everything was so already`
      : say`changed: ${update.changes.map(({ key }) => key).join(', ')}`
  return {
    jobName,
    changes: changesOf(update.changes),
    configuration: mutable(update.configuration),
    version: update.version,
  }
}
