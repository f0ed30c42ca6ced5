import type { VNode } from 'preact'

import { Executions } from '../history/executions.tsx'
import { StatisticsView } from '../history/statistics.tsx'

/** What became of one job: its statistics, and its runs. */
export function HistoryTab({ jobName }: { readonly jobName: string }): VNode {
  return (
    <div class="stack">
      <StatisticsView jobName={jobName} />
      <Executions jobName={jobName} />
    </div>
  )
}
