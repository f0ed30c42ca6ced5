/** Actions on many jobs at once. */
import type { VNode } from 'preact'

import type { JobEntry } from '../../../src/contract/jobs.ts'
import type { BulkAction, OperationResult } from '../../../src/contract/results.ts'
import { type Action, reasonFor } from '../actions/action.ts'
import { jobActionIcons, jobActionIds, obstacle } from '../actions/job-actions.ts'
import { call } from '../api/call.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Button } from '../components/button.tsx'
import { t } from '../i18n/i18n.ts'
import { printable } from '../text/printable.ts'

/** The maximum number of jobs in one request. */
const inOneRequest = 1000
const namedAtMost = 8

export function BulkBar(props: {
  readonly jobs: readonly JobEntry[]
  readonly onDone: () => void
}): VNode {
  const { jobs, onDone } = props
  return (
    <div class="bulk" role="region" aria-label={t('bulk.label')}>
      <strong>{t('bulk.chosen', { n: jobs.length })}</strong>
      {jobActionIds.map((id) => (
        <ActionButton
          key={id}
          action={bulkAction(id, jobs)}
          about={t('bulk.jobs', { n: jobs.length })}
          onDone={onDone}
        />
      ))}
      <Button kind="quiet" icon="close" label={t('bulk.none')} onClick={onDone} />
    </div>
  )
}

/** Jobs that the action would not change are omitted, and the dialog says so. */
export function bulkAction(id: BulkAction, jobs: readonly JobEntry[]): Action {
  const [first] = jobs
  const able = jobs.filter((job) => obstacle(id, job) === undefined)
  const names = able.slice(0, namedAtMost).map(({ jobName }) => printable(jobName))
  const rest = able.length - names.length
  const sum = (of: (job: JobEntry) => number): number =>
    able.reduce((total, job) => total + of(job), 0)
  return {
    id: `bulk-${id}`,
    title: t(`action.${id}`),
    icon: jobActionIcons[id],
    danger: id === 'shutdown' || id === 'remove',
    reason: reasonFor(able.length === 0 && first !== undefined ? obstacle(id, first) : undefined),
    consequences: [
      t(`bulk.${id}`, {
        n: able.length,
        shards: sum((job) => job.shardingTotalCount - job.disabledShardCount),
        instances: sum((job) => job.instanceCount),
        running: sum((job) => job.runningCount),
      }),
      `${names.join(', ')}${rest > 0 ? ` ${t('confirm.more', { n: rest })}` : ''}`,
      ...(able.length < jobs.length ? [t('bulk.leftOut', { n: jobs.length - able.length })] : []),
    ],
    ...(id === 'remove' ? { typed: String(able.length) } : {}),
    perform: () => performBulk(id, able),
  }
}

async function performBulk(id: BulkAction, jobs: readonly JobEntry[]): Promise<OperationResult> {
  const parts: OperationResult[] = []
  for (let at = 0; at < jobs.length; at += inOneRequest) {
    const names = jobs.slice(at, at + inOneRequest).map(({ jobName }) => jobName)
    const { results } = await call('bulk', { body: { action: id, jobs: names } })
    for (const { jobName, result, error } of results) {
      if (result !== undefined) parts.push(result)
      if (error !== undefined) {
        const { message: reason, ...rest } = error
        const failed = [{ jobName, reason, ...rest }]
        parts.push({ action: id, done: [], unchanged: [], skipped: [], failed })
      }
    }
  }
  return {
    action: id,
    done: parts.flatMap(({ done }) => done),
    unchanged: parts.flatMap(({ unchanged }) => unchanged),
    skipped: parts.flatMap(({ skipped }) => skipped),
    failed: parts.flatMap(({ failed }) => failed),
  }
}
