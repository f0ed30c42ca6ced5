/** The configuration as a form: validated while the user types, with the difference before it is saved. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'

import type { JobChanges, StoredConfiguration } from '../../../../src/contract/configuration.ts'
import type { JobDetail } from '../../../../src/contract/jobs.ts'
import { reasonFor } from '../../actions/action.ts'
import { toApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { Loading } from '../../components/conditions.tsx'
import { Moment } from '../../components/moment.tsx'
import { t } from '../../i18n/i18n.ts'
import { messageText } from '../../i18n/message-text.ts'
import { mayAct } from '../../state/session.ts'
import { useResource } from '../../state/resource.ts'
import { after } from '../../time/clock.ts'
import { tell } from '../../components/toasts.tsx'
import { errorText } from '../../i18n/error-text.ts'
import { Trouble } from '../trouble.tsx'
import { ConfigurationFields } from './configuration-fields.tsx'
import { changesOf, type ActionPlan, planOf } from './draft.ts'
import { SaveDialog } from './save-dialog.tsx'

export function ConfigurationTab({ job }: { readonly job: JobDetail }): VNode {
  const { data, error, reload } = useResource(`configuration ${job.jobName}`, (signal) =>
    call('showConfiguration', { params: { job: job.jobName }, signal }),
  )
  const revealed = useSignal<StoredConfiguration | undefined>(undefined)
  const reveal = async (): Promise<void> => {
    try {
      revealed.value = await call('revealConfiguration', { params: { job: job.jobName } })
    } catch (thrown) {
      tell('bad', errorText(toApiError(thrown)))
    }
  }
  // Revealed secrets belong to one version of the configuration of one job.
  const isRevealed =
    revealed.value?.configuration.jobName === job.jobName &&
    revealed.value.version === data?.version
  const stored = isRevealed ? revealed.value : data
  if (error !== undefined) return <Trouble error={error} onRetry={reload} />
  if (stored === undefined) return <Loading lines={10} />
  return (
    <Form
      key={`${job.jobName} ${stored.version} ${isRevealed}`}
      jobName={job.jobName}
      stored={stored}
      newest={job.configurationVersion}
      onReveal={() => void reveal()}
      onSaved={reload}
    />
  )
}

/** A change is validated when the user has not typed for this many milliseconds. */
const pause = 300

function Form(props: {
  readonly jobName: string
  readonly stored: StoredConfiguration
  /** The version that the registry has now. */
  readonly newest: number
  readonly onReveal: () => void
  readonly onSaved: () => void
}): VNode {
  const { jobName, stored, newest, onReveal, onSaved } = props
  const actionPlan = useSignal<ActionPlan>(planOf(stored.configuration))
  const isSaving = useSignal(false)
  const changes = changesOf(actionPlan.value, stored.configuration)
  const count = Object.keys(changes).length
  const settled = useSettled(JSON.stringify(changes))
  const check = useResource(settled === '{}' ? undefined : `check ${settled}`, (signal) =>
    call('checkConfiguration', {
      params: { job: jobName },
      body: { changes: JSON.parse(settled) as JobChanges, version: stored.version },
      signal,
    }),
  )
  const answer = count === 0 ? undefined : check.data
  // Problems that the schema finds come as an error, problems that the rules find come in the answer.
  const problems =
    count === 0 ? [] : (answer?.problems ?? (check.error && toApiError(check.error).problems) ?? [])
  const isChecked = answer !== undefined && settled === JSON.stringify(changes)
  return (
    <form
      class="stack configuration"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChecked && problems.length === 0) isSaving.value = true
      }}
    >
      {newest > stored.version && (
        <div class="notice warn" role="alert">
          <p>{t('configuration.changedMeanwhile')}</p>
          <Button icon="reshard" onClick={onSaved}>
            {t('configuration.reload')}
          </Button>
        </div>
      )}
      {stored.warnings.map((warning, index) => (
        <p class="notice warn hostile">{messageText(stored.warningParts[index], warning)}</p>
      ))}
      {mayAct.value && count === 0 && stored.text.includes('******') && (
        <div class="notice">
          <p>{t('configuration.reveal.text')}</p>
          <Button onClick={onReveal}>{t('configuration.reveal')}</Button>
        </div>
      )}
      <ConfigurationFields
        actionPlan={actionPlan.value}
        problems={problems}
        disabled={!mayAct.value}
        onChange={(next) => (actionPlan.value = next)}
      />
      <div class="save-bar">
        <span class="soft">
          {count === 0 ? (
            <>
              {t('configuration.changed')} <Moment at={stored.changed} />
            </>
          ) : problems.length > 0 ? (
            <span class="bad-ink">{t('configuration.problems', { n: problems.length })}</span>
          ) : (
            t('configuration.changes', { n: count })
          )}
        </span>
        {count > 0 && (
          <Button onClick={() => (actionPlan.value = planOf(stored.configuration))}>
            {t('configuration.undo')}
          </Button>
        )}
        <Button
          kind="main"
          submit
          reason={reasonFor(
            count === 0
              ? t('configuration.nothing')
              : problems.length > 0
                ? t('configuration.problems', { n: problems.length })
                : undefined,
          )}
          busy={count > 0 && !isChecked && problems.length === 0}
        >
          {t('configuration.review')}
        </Button>
      </div>
      {isSaving.value && answer !== undefined && (
        <SaveDialog
          jobName={jobName}
          changes={changes}
          check={answer}
          onClose={() => (isSaving.value = false)}
          onSaved={onSaved}
        />
      )}
    </form>
  )
}

/** The text after the user has paused for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState('{}')
  useEffect(() => after(pause, () => settle(text)), [text])
  return settled
}
