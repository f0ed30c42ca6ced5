import type { VNode } from 'preact'

import { Executions } from '../history/executions.tsx'
import { FiguresView } from '../history/figures.tsx'

/** What became of one job: its figures, and its runs. */
export function HistoryTab({ jobName }: { readonly jobName: string }): VNode {
  return (
    <div class="stack">
      <FiguresView jobName={jobName} />
      <Executions jobName={jobName} />
    </div>
  )
}
