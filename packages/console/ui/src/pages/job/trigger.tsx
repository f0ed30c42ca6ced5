/** Run now: with which parameter, which items. */
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
import { errorWords } from '../../i18n/error-words.ts'
import { t } from '../../i18n/i18n.ts'
import { sentencesReady } from '../../i18n/sentence-words.ts'
import { parseItems } from '../../text/items.ts'
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
  const items = useSignal('')
  const failed = useSignal(false)
  const error = useSignal<ApiError | undefined>(undefined)
  const busy = useSignal(false)
  const chosen = parseItems(items.value, job.shardingTotalCount)
  const body: TriggerBody = {
    ...(parameter.value === '' ? {} : { parameter: parameter.value }),
    ...(chosen === undefined || items.value.trim() === '' ? {} : { items: chosen }),
    ...(failed.value ? { failed: true } : {}),
  }
  const perform = async (): Promise<void> => {
    busy.value = true
    error.value = undefined
    try {
      const asked = call('triggerJob', { params: { job: job.jobName }, body })
      const [result] = await Promise.all([asked, sentencesReady()])
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
            reason={chosen === undefined ? t('trigger.badItems') : undefined}
            onClick={() => void perform()}
          >
            {t('action.trigger')}
          </Button>
        </>
      }
    >
      <ul class="consequences">
        {body.items !== undefined ? (
          <li>{t('will.triggerItems', { n: body.items.length, job: printable(job.jobName) })}</li>
        ) : failed.value ? (
          <li>{t('will.triggerFailed')}</li>
        ) : (
          jobConsequences('trigger', job).map((sentence) => <li>{sentence}</li>)
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
          label={t('trigger.items')}
          hint={t('trigger.items.hint', { last: job.shardingTotalCount - 1 })}
          error={chosen === undefined ? t('trigger.badItems') : undefined}
          mono
          value={items.value}
          onInput={(value) => (items.value = value)}
        />
        <CheckField
          label={t('trigger.failed')}
          checked={failed.value}
          onChange={(value) => (failed.value = value)}
        />
      </div>
      {error.value !== undefined && (
        <p class="notice bad hostile" role="alert">
          {errorWords(error.value)}
        </p>
      )}
    </Dialog>
  )
}
