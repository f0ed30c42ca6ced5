/** The internals of a job: the counts of its instances, their dumps, and its nodes. */
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'

import type { JobDetail } from '../../../../src/contract/jobs.ts'
import { reasonFor } from '../../actions/action.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../components/button.tsx'
import { Loading } from '../../components/conditions.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Moment } from '../../components/moment.tsx'
import { t } from '../../i18n/i18n.ts'
import { useResource } from '../../state/resource.ts'
import { instanceName, printable, printableLines } from '../../text/printable.ts'
import { Trouble } from '../trouble.tsx'

export function Inside({ job }: { readonly job: JobDetail }): VNode {
  const props = job.configuration?.props ?? {}
  const port = Number(props['monitor.port'] ?? -1)
  return (
    <>
      {Number(props['process.count.interval.seconds'] ?? 0) > 0 && <Counts job={job} />}
      {port > 0 && <Dumps job={job} port={port} />}
      <Tree jobName={job.jobName} />
    </>
  )
}

type Counted = Awaited<ReturnType<typeof call<'showStatistics'>>>[number]

function Counts({ job }: { readonly job: JobDetail }): VNode {
  // Instances write their counts periodically, and the stream does not report that.
  const { data, error, reload } = useResource(`counts ${job.jobName}`, (signal) =>
    call('showStatistics', { params: { job: job.jobName }, signal }),
  )
  return (
    <section class="card" aria-labelledby="counts-title">
      <header class="card-head">
        <h2 id="counts-title">{t('counts.title')}</h2>
        <Button icon="reshard" onClick={reload}>
          {t('doctor.again')}
        </Button>
      </header>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Loading lines={2} />}
      {data !== undefined && (
        <DataTable
          label={t('counts.title')}
          columns={countColumns(job)}
          rows={data}
          keyOf={({ instance }) => instance}
        />
      )}
    </section>
  )
}

function countColumns({ timeZone }: JobDetail): readonly Column<Counted>[] {
  const pair = ({ succeeded, failed }: Counted['total']['runs']): VNode => (
    <>
      {succeeded} / <span class={failed > 0 ? 'bad-ink' : undefined}>{failed}</span>
    </>
  )
  return [
    {
      key: 'instance',
      title: t('run.instance'),
      class: 'main',
      cell: ({ instance }) => instanceName(instance),
    },
    {
      key: 'since',
      title: t('counts.since'),
      class: 'wide',
      cell: ({ total }) => <Moment at={total.since} zone={timeZone} />,
    },
    {
      key: 'lately',
      title: t('counts.lately'),
      class: 'number',
      cell: ({ interval }) => pair(interval.runs),
    },
    {
      key: 'runs',
      title: t('counts.runs'),
      class: 'number',
      cell: ({ total }) => pair(total.runs),
    },
    {
      key: 'elements',
      title: t('counts.elements'),
      class: 'number wide',
      cell: ({ total }) => pair(total.elements),
    },
  ]
}

function Dumps({ job, port }: { readonly job: JobDetail; readonly port: number }): VNode {
  const asked = useSignal('')
  const { data, error, isLoading, reload } = useResource(
    asked.value === '' ? undefined : `${job.jobName} ${asked.value} ${port}`,
    (signal) =>
      call('dumpFromServer', {
        params: { server: asked.value, port, job: job.jobName },
        signal,
      }),
  )
  return (
    <section class="card" aria-labelledby="dump-title">
      <h2 id="dump-title">{t('dump.title')}</h2>
      <p class="soft">{t('dump.text', { port })}</p>
      <p class="row-actions">
        {job.servers
          .filter(({ instances }) => instances.length > 0)
          .map(({ server }) => (
            <Button
              key={server}
              icon="servers"
              busy={isLoading && asked.value === server}
              pressed={asked.value === server}
              reason={reasonFor(undefined)}
              onClick={() => {
                if (asked.value === server) reload()
                asked.value = server
              }}
            >
              {t('dump.ask', { server: printable(server) })}
            </Button>
          ))}
      </p>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {data !== undefined && (
        <pre class="code" tabIndex={0} aria-label={t('dump.title')}>
          {printableLines(data)}
        </pre>
      )}
    </section>
  )
}

function Tree({ jobName }: { readonly jobName: string }): VNode {
  const isShown = useSignal(false)
  const { data, error, reload } = useResource(
    isShown.value ? `dump ${jobName}` : undefined,
    (signal) => call('dumpJob', { params: { job: jobName }, signal }),
  )
  return (
    <section class="card" aria-labelledby="tree-title">
      <header class="card-head">
        <h2 id="tree-title">{t('tree.title')}</h2>
        <Button
          icon="down"
          expanded={isShown.value}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {t(isShown.value ? 'tree.hide' : 'tree.show')}
        </Button>
      </header>
      <p class="soft">{t('tree.text')}</p>
      {error !== undefined && <Trouble error={error} onRetry={reload} />}
      {isShown.value && error === undefined && data === undefined && <Loading />}
      {data !== undefined && (
        <pre class="code" tabIndex={0} aria-label={t('tree.title')}>
          {printableLines(data)}
        </pre>
      )}
    </section>
  )
}
