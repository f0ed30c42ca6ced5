/** One job: its header, its actions and its views. */
import type { VNode } from 'preact'

import type { JobDetail } from '../../../src/contract/jobs.ts'
import { jobAction, jobActionIds } from '../actions/job-actions.ts'
import { call } from '../api/call.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Badge } from '../components/badge.tsx'
import { Empty, Loading } from '../components/conditions.tsx'
import { later } from '../components/later.tsx'
import { Moment } from '../components/moment.tsx'
import { Tabs } from '../components/tabs.tsx'
import { errorText } from '../i18n/error-text.ts'
import { language, t } from '../i18n/i18n.ts'
import { messageText } from '../i18n/message-text.ts'
import { job as followed, problems } from '../live/live.ts'
import type { PageProps } from '../state/address.ts'
import { type JobTab, jobTabs, to, toJob } from '../state/links.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { useResource } from '../state/resource.ts'
import { jobTone } from '../state/tones.ts'
import { cronText } from '../text/cron-text.ts'
import { printable } from '../text/printable.ts'
import { RepairButton } from './job/repair.tsx'
import { ShardsTab } from './job/shards.tsx'
import { TriggerButton } from './job/trigger.tsx'
import { PageHead } from './page-head.tsx'

const rest = () => import('./rest.ts')
const ConfigurationTab = later(() => rest().then(({ ConfigurationTab: part }) => part))
const DoctorTab = later(() => rest().then(({ DoctorTab: part }) => part))
const HistoryTab = later(() => rest().then(({ HistoryTab: part }) => part))
const TimelineTab = later(() => rest().then(({ TimelineTab: part }) => part))

export function JobPage({ params }: PageProps): VNode {
  const jobName = params['name'] ?? ''
  const tab = jobTabs.find((each) => each === params['tab']) ?? 'shards'
  useTitle(printable(jobName))
  useTopics({ job: jobName })
  const known = followed.value
  if (known?.jobName !== jobName) {
    const problem = problems.value['job']
    return problem === undefined ? (
      <Loading lines={8} />
    ) : (
      <Empty icon="warn" title={t('state.failed')}>
        <p class="hostile">{printable(errorText(problem))}</p>
      </Empty>
    )
  }
  const { detail } = known
  if (detail === undefined) {
    return (
      <Empty icon="jobs" title={t('job.unknown', { job: printable(jobName) })}>
        <p>
          <a href={to('/jobs')}>{t('job.toAll')}</a>
        </p>
      </Empty>
    )
  }
  return (
    <>
      <Head job={detail} />
      <Tabs
        label={t('job.views')}
        current={toJob(jobName, tab)}
        tabs={jobTabs.map((each) => ({
          href: toJob(jobName, each),
          title: t(`job.tab.${each}`),
          ...(each === 'doctor' && detail.state !== 'ok' && detail.state !== 'running'
            ? { mark: '!' }
            : {}),
        }))}
      />
      <View tab={tab} job={detail} />
    </>
  )
}

function View({ tab, job }: { readonly tab: JobTab; readonly job: JobDetail }): VNode {
  switch (tab) {
    case 'shards':
      return <ShardsTab job={job} />
    case 'timeline':
      return <TimelineTab job={job} />
    case 'history':
      return <HistoryTab jobName={job.jobName} />
    case 'configuration':
      return <ConfigurationTab job={job} />
    case 'doctor':
      return <DoctorTab job={job} />
  }
}

function Head({ job }: { readonly job: JobDetail }): VNode {
  const { jobName, description, problem, problemParts } = job
  return (
    <>
      <PageHead
        above={<a href={to('/jobs')}>{t('nav.jobs')}</a>}
        title={
          <>
            <span class="job-title">{printable(jobName)}</span>{' '}
            <Badge tone={jobTone(job.state)}>{t(`job.${job.state}`)}</Badge>
            {job.kind !== 'ours' && <span class="mark">{t(`job.kind.${job.kind}`)}</span>}
          </>
        }
        below={description === '' ? undefined : printable(description)}
      >
        <TriggerButton job={job} />
        {problem !== undefined && <RepairButton job={job} />}
        {jobActionIds
          .filter((id) => id !== 'trigger' && isOffered(id, job))
          .map((id) => (
            <ActionButton key={id} action={jobAction(id, job)} about={jobName} />
          ))}
      </PageHead>
      {problem !== undefined && (
        <p class="notice bad hostile" role="alert">
          {t('job.problem')} {printable(messageText(problemParts, problem))}
        </p>
      )}
      {job.refusedClocks.length > 0 && (
        <p class="notice warn" role="status">
          {t('job.clocksRefused', { instances: printable(instancesText(job)) })}
        </p>
      )}
      <Facts job={job} />
    </>
  )
}

function instancesText({ refusedClocks }: JobDetail): string {
  return refusedClocks
    .map(({ instance, difference }) =>
      t(difference > 0 ? 'job.clockAhead' : 'job.clockBehind', {
        instance,
        seconds: Math.round(Math.abs(difference) / 1000),
      }),
    )
    .join(', ')
}

/** Of two opposite actions, only the one that applies. */
function isOffered(id: string, job: JobDetail): boolean {
  const isPaused = job.paused || job.pausedServers.length > 0
  const isDisabled = job.servers.length > 0 && job.servers.every(({ enabled }) => !enabled)
  switch (id) {
    case 'pause':
      return !isPaused
    case 'resume':
      return isPaused
    case 'disable':
      return !isDisabled
    case 'enable':
      return job.servers.some(({ enabled }) => !enabled)
    default:
      return true
  }
}

function Facts({ job }: { readonly job: JobDetail }): VNode {
  const { cron, timeZone, nextFireTime } = job
  const preview = useResource(
    cron === undefined ? undefined : `${cron} ${timeZone ?? ''}`,
    (signal) =>
      call('previewCron', {
        query: {
          expression: cron ?? '',
          count: 1,
          ...(timeZone === undefined ? {} : { timeZone }),
        },
        signal,
      }),
  )
  return (
    <dl class="facts">
      <div>
        <dt>{t('job.schedule')}</dt>
        <dd>
          {cron === undefined ? (
            t('jobs.whenTriggered')
          ) : (
            <>
              {cronText(cron, preview.data?.words, language.value)}{' '}
              <code class="faint">{printable(cron)}</code>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('jobs.next')}</dt>
        <dd>
          {nextFireTime === undefined ? '–' : <Moment at={nextFireTime} zone={timeZone} away />}
        </dd>
      </div>
      <div>
        <dt>{t('jobs.shards')}</dt>
        <dd>
          {t('job.shards', { n: job.shardingTotalCount, running: job.runningCount })}
          {job.disabledShardCount > 0 &&
            ` · ${t('job.shardsDisabled', { n: job.disabledShardCount })}`}
        </dd>
      </div>
      <div>
        <dt>{t('jobs.instances')}</dt>
        <dd>{t('job.instancesOn', { n: job.instanceCount, servers: job.serverCount })}</dd>
      </div>
    </dl>
  )
}
