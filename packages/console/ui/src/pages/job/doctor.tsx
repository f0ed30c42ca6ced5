/** The doctor's findings, and the internals of the job. */
import type { VNode } from 'preact'

import type { Finding } from '../../../../src/contract/doctor.ts'
import type { JobDetail } from '../../../../src/contract/jobs.ts'
import { call } from '../../api/call.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Loading } from '../../components/conditions.tsx'
import { isKey, t } from '../../i18n/i18n.ts'
import { messagesReady, messageText } from '../../i18n/message-text.ts'
import { useResource } from '../../state/resource.ts'
import { printable } from '../../text/printable.ts'
import { Trouble } from '../trouble.tsx'
import { Inside } from './inside.tsx'

const tones = { error: 'bad', warning: 'warn', info: 'info' } as const

export function DoctorTab({ job }: { readonly job: JobDetail }): VNode {
  // Queried again whenever the state of the job changes.
  const key = `doctor ${job.jobName} ${job.state} ${job.configurationVersion} ${job.shards.map(({ state }) => state).join()}`
  const { data, error, reload } = useResource(key, async (signal) => {
    const asked = call('diagnoseJob', { params: { job: job.jobName }, signal })
    const [answer] = await Promise.all([asked, messagesReady()])
    return answer
  })
  return (
    <div class="stack">
      <section class="card" aria-labelledby="doctor-title">
        <header class="card-head">
          <h2 id="doctor-title">{t('doctor.title')}</h2>
          <Button icon="reshard" onClick={reload}>
            {t('doctor.again')}
          </Button>
        </header>
        {error !== undefined && <Trouble error={error} onRetry={reload} />}
        {error === undefined && data === undefined && <Loading lines={3} />}
        {data !== undefined && (
          <>
            <p class={`verdict ${data.healthy ? 'good' : 'bad'} hostile`}>
              <strong>{t(data.healthy ? 'doctor.healthy' : 'doctor.ill')}</strong>{' '}
              {printable(messageText(data.messageParts, data.verdict))}
            </p>
            <ul class="findings">
              {data.findings.map((finding) => (
                <FindingItem finding={finding} key={finding.cause + finding.what} />
              ))}
            </ul>
          </>
        )}
      </section>
      <Inside job={job} />
    </div>
  )
}

function FindingItem({ finding }: { readonly finding: Finding }): VNode {
  const { cause, severity, what, remedy, messageParts } = finding
  const key = `cause.${cause}`
  return (
    <li>
      <div class="finding-head">
        <Badge tone={tones[severity]}>{t(`severity.${severity}`)}</Badge>
        <h3>{isKey(key) ? t(key) : printable(cause)}</h3>
      </div>
      <p class="hostile">{printable(messageText(messageParts.what, what))}</p>
      <p class="soft hostile">→ {printable(messageText(messageParts.remedy, remedy))}</p>
    </li>
  )
}
