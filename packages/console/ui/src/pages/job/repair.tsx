/** Repair of a broken job: shows first what would be reset and lost. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { JobDetail } from '../../../../src/contract/jobs.ts'
import { reasonFor } from '../../actions/action.ts'
import { toApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { confirm, tellResult } from '../../components/confirmation.tsx'
import { tell } from '../../components/toasts.tsx'
import { errorText } from '../../i18n/error-text.ts'
import { t } from '../../i18n/i18n.ts'
import { messagesReady, messageText } from '../../i18n/message-text.ts'
import { printable } from '../../text/printable.ts'

export function RepairButton({ job: { jobName } }: { readonly job: JobDetail }): VNode {
  const busy = useSignal(false)
  const params = { job: jobName }
  const title = t('action.repair')
  const ask = async (): Promise<void> => {
    busy.value = true
    try {
      const asked = call('repairJob', { params, query: { dryRun: 'true' } })
      const [plan] = await Promise.all([asked, messagesReady()])
      if (plan.done.length === 0) {
        tellResult(title, jobName, plan)
        return
      }
      confirm(
        {
          id: 'repair',
          title,
          icon: 'repair',
          danger: true,
          consequences: [
            t('will.repair'),
            ...[
              ...plan.done.map(({ messageParts, text }) => messageText(messageParts, text)),
              ...plan.skipped.map(({ messageParts, reason }) => messageText(messageParts, reason)),
            ].map(printable),
          ],
          perform: () => call('repairJob', { params }),
        },
        jobName,
      )
    } catch (thrown) {
      tell('bad', `${title}: ${printable(jobName)}`, [printable(errorText(toApiError(thrown)))])
    } finally {
      busy.value = false
    }
  }
  return (
    <Button
      kind="danger"
      icon="repair"
      busy={busy.value}
      reason={reasonFor(undefined)}
      onClick={() => void ask()}
    >
      {title}
    </Button>
  )
}
