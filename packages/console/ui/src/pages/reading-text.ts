import { t } from '../i18n/i18n.ts'
import { freshness } from '../live/live.ts'

/** The progress of the first read of a large registry. */
export function readingText(): string | undefined {
  const { value } = freshness
  const progress = value.state === 'connecting' ? value.progress : undefined
  return progress && t('jobs.reading', progress)
}
