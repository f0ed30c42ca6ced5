/** The dialog for a manual run: parameter and shards. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { JobDetail } from '../../../../src/contract/jobs.ts'
import type { TriggerBody } from '../../../../src/contract/results.ts'
import { reasonFor } from '../../actions/action.ts'
import { jobConsequences, obstacle } from '../../actions/job-actions.ts'
import { type ApiError, toApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { tellResult } from '../../components/confirmation.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { errorText } from '../../i18n/error-text.ts'
import { t } from '../../i18n/i18n.ts'
import { messagesReady } from '../../i18n/message-text.ts'
import { parseShards } from '../../text/shard-numbers.ts'
import { printable } from '../../text/printable.ts'

export function TriggerButton({ job }: { readonly job: JobDetail }): VNode {
  const isOpen = useSignal(false)
  return (
    <>
      <Button
        kind="main"
        icon="play"
        reason={reasonFor(obstacle('trigger', job))}
        onClick={() => (isOpen.value = true)}
      >
        {t('action.trigger')}
      </Button>
      {isOpen.value && <TriggerDialog job={job} onClose={() => (isOpen.value = false)} />}
    </>
  )
}

function TriggerDialog(props: { readonly job: JobDetail; readonly onClose: () => void }): VNode {
  const { job, onClose } = props
  const parameter = useSignal('')
  const shards = useSignal('')
  const failed = useSignal(false)
  const error = useSignal<ApiError | undefined>(undefined)
  const busy = useSignal(false)
  const chosen = parseShards(shards.value, job.shardingTotalCount)
  const body: TriggerBody = {
    ...(parameter.value === '' ? {} : { parameter: parameter.value }),
    ...(chosen === undefined || shards.value.trim() === '' ? {} : { shards: chosen }),
    ...(failed.value ? { failed: true } : {}),
  }
  const perform = async (): Promise<void> => {
    busy.value = true
    error.value = undefined
    try {
      const asked = call('triggerJob', { params: { job: job.jobName }, body })
      const [result] = await Promise.all([asked, messagesReady()])
      tellResult(t('action.trigger'), job.jobName, result)
      onClose()
    } catch (thrown) {
      error.value = toApiError(thrown)
    } finally {
      busy.value = false
    }
  }
  return (
    <Dialog
      title={`${t('action.trigger')}: ${printable(job.jobName)}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            kind="main"
            icon="play"
            busy={busy.value}
            reason={chosen === undefined ? t('trigger.badShards') : undefined}
            onClick={() => void perform()}
          >
            {t('action.trigger')}
          </Button>
        </>
      }
    >
      <ul class="consequences">
        {body.shards !== undefined ? (
          <li>{t('will.triggerShards', { n: body.shards.length, job: printable(job.jobName) })}</li>
        ) : failed.value ? (
          <li>{t('will.triggerFailed')}</li>
        ) : (
          jobConsequences('trigger', job).map((message) => <li>{message}</li>)
        )}
      </ul>
      <div class="form">
        <TextField
          label={t('trigger.parameter')}
          hint={t('trigger.parameter.hint')}
          value={parameter.value}
          onInput={(value) => (parameter.value = value)}
        />
        <TextField
          label={t('trigger.shards')}
          hint={t('trigger.shards.hint', { last: job.shardingTotalCount - 1 })}
          error={chosen === undefined ? t('trigger.badShards') : undefined}
          mono
          value={shards.value}
          onInput={(value) => (shards.value = value)}
        />
        <CheckField
          label={t('trigger.failed')}
          checked={failed.value}
          onChange={(value) => (failed.value = value)}
        />
      </div>
      {error.value !== undefined && (
        <p class="notice bad hostile" role="alert">
          {errorText(error.value)}
        </p>
      )}
    </Dialog>
  )
}
