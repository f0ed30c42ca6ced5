/** The help page: terms, colors and keys of the console. */
import type { ComponentChildren, VNode } from 'preact'

import type { JobState, ShardState } from '../../../src/contract/jobs.ts'
import { jobActionIds } from '../actions/job-actions.ts'
import { Badge } from '../components/badge.tsx'
import { Loading } from '../components/conditions.tsx'
import { goTo } from '../components/shortcuts.tsx'
import { fill } from '../i18n/fill.ts'
import { helpText, language, t } from '../i18n/i18n.ts'
import { base } from '../tab/base.ts'
import { places } from '../state/nav.ts'
import { useTitle, useTopics } from '../state/page.ts'
import { useResource } from '../state/resource.ts'
import { session } from '../state/session.ts'
import { jobTone, shardTone } from '../state/tones.ts'
import { PageHead } from './page-head.tsx'

const jobStates: readonly JobState[] = [
  'ok',
  'running',
  'paused',
  'disabled',
  'sharding',
  'crashed',
  'broken',
  'removing',
]
const shardStates: readonly ShardState[] = [
  'pending',
  'running',
  'stopping',
  'taken-over',
  'waiting-for-failover',
  'crashed',
  'abandoned',
  'unreadable',
  'disabled',
  'paused',
  'no-owner',
  'owner-away',
]

export function HelpPage(): VNode {
  useTitle(t('nav.help'))
  useTopics({})
  const { data: words } = useResource(`help ${language.value}`, helpText[language.value])
  if (words === undefined) return <Loading />
  return (
    <>
      <PageHead title={t('nav.help')} below={words['help.text']} />
      <div class="help">
        <Part title={words['help.jobs']}>
          {jobStates.map((state) => (
            <Row key={state} term={<Badge tone={jobTone(state)}>{t(`job.${state}`)}</Badge>}>
              {words[`help.job.${state}`]}
            </Row>
          ))}
        </Part>
        <Part title={words['help.shards']}>
          {shardStates.map((state) => (
            <Row key={state} term={<Badge tone={shardTone(state)}>{t(`shard.${state}`)}</Badge>}>
              {words[`help.shard.${state}`]}
            </Row>
          ))}
        </Part>
        <Part title={words['help.actions']}>
          {jobActionIds.map((id) => (
            <Row key={id} term={<strong>{t(`action.${id}`)}</strong>}>
              {words[`help.action.${id}`]}
            </Row>
          ))}
        </Part>
        <Part title={words['help.keys']}>
          <Row term={<kbd>Ctrl K</kbd>}>{words['help.key.palette']}</Row>
          <Row term={<kbd>/</kbd>}>{words['help.key.search']}</Row>
          <Row term={<kbd>?</kbd>}>{words['help.key.help']}</Row>
          {Object.entries(goTo).map(([key, path]) => {
            const title = places.find((each) => each.path === path)?.title
            return (
              <Row
                key={key}
                term={
                  <>
                    <kbd>g</kbd> <kbd>{key}</kbd>
                  </>
                }
              >
                {title === undefined ? path : t(title)}
              </Row>
            )
          })}
        </Part>
      </div>
      <p class="faint small">
        {fill(words['help.version'], { version: session.value?.version ?? '' })} ·{' '}
        <a href={`${base}/api/openapi.json`} target="_blank" rel="noreferrer">
          {words['help.api']}
        </a>
      </p>
    </>
  )
}

function Part(props: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <section class="card">
      <h2>{props.title}</h2>
      <dl class="help-rows">{props.children}</dl>
    </section>
  )
}

function Row(props: { readonly term: VNode; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}
