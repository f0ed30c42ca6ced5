import type { Section } from '../../report/report.ts'
import type { Effort } from './effort.ts'

/** One of the tables. */
export interface Part {
  readonly title: (effort: Effort) => string
  readonly measure: (title: string, effort: Effort, pinned: boolean) => Promise<Section>
}
