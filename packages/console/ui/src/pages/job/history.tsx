import type { VNode } from 'preact'

import { Executions } from '../history/executions.tsx'
import { StatisticsView } from '../history/statistics.tsx'

/** The statistics and the runs of one job. */
export function HistoryTab({ jobName }: { readonly jobName: string }): VNode {
  return (
    <div class="stack">
      <StatisticsView jobName={jobName} />
      <Executions jobName={jobName} />
    </div>
  )
}
