import type { VNode } from 'preact'

import type { RecentRun } from '../../../src/contract/jobs.ts'
import { t } from '../i18n/i18n.ts'
import { dateTime, span } from '../time/moments.ts'
import { outcomeTone } from '../state/tones.ts'

const length = 20
const lowest = 0.25

/** The last runs of a job, the newest on the right; the height of a bar is the duration of the run. */
export function RunStrip({ runs }: { readonly runs: readonly RecentRun[] }): VNode {
  const shown = runs.slice(-length)
  const took = ({ begin, end }: RecentRun): number => (end === undefined ? 0 : end - begin)
  const longest = Math.max(1, ...shown.map(took))
  const bad = shown.filter(({ outcome }) => outcomeTone(outcome) === 'bad').length
  return (
    <span class="run-strip" role="img" aria-label={t('runs.strip', { n: shown.length, bad })}>
      {Array.from({ length: length - shown.length }, (_, index) => (
        <i key={`none-${index}`} class="none" />
      ))}
      {shown.map((run) => (
        <i
          key={run.runId}
          class={outcomeTone(run.outcome)}
          style={{
            height: `${Math.round((lowest + (1 - lowest) * (took(run) / longest)) * 100)}%`,
          }}
          title={`${dateTime(run.begin)} · ${t(`outcome.${run.outcome}`)}${
            run.end === undefined ? '' : ` · ${span(took(run))}`
          } · ${t('shard.shard', { shard: run.shard })}`}
        />
      ))}
    </span>
  )
}
